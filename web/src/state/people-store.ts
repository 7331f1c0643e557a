/** Who I am, where, and who else is there, as the server last told. */
import type { Me, Person } from '@tscodex/shared/workspace';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Live, PeopleFrame } from '../api/live.ts';
import type { DeviceName } from './device-name.ts';

export type People = {
  /** null until the server has said hello. */
  me: Me | null;
  /** See `HomeDirectory`. */
  home: string;
  people: readonly Person[];
  /** How many are there beside those. */
  more: number;
};

/** The name goes to the device too, for its next login. */
export function peopleStore(live: Pick<Live, 'followPeople'>, device: DeviceName): StoreApi<People> {
  const store = createStore<People>(() => ({ me: null, home: '', people: [], more: 0 }));
  store.subscribe(({ me }, before) => {
    if (me?.name && me.name !== before.me?.name) device.name = me.name;
  });
  live.followPeople((frame) => store.setState((before) => foldPeople(before, frame)));
  return store;
}

/** Pure. */
export function foldPeople(before: People, frame: PeopleFrame): People {
  switch (frame.type) {
    case 'hello':
      return { ...before, me: frame.me, home: frame.home };
    case 'me':
      return { ...before, me: frame.me };
    case 'people':
      return { ...before, people: frame.people, more: frame.more };
    case 'people.changed': {
      const changed = new Map(frame.people.map((person) => [person.id, person]));
      const stayed = before.people.filter(({ id }) => !frame.gone.includes(id));
      const known = new Set(stayed.map(({ id }) => id));
      const came = frame.people.filter(({ id }) => !known.has(id));
      const people = [...stayed.map((person) => changed.get(person.id) ?? person), ...came];
      return { ...before, people, more: frame.more };
    }
  }
}
