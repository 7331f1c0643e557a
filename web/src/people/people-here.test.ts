import type { Person } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { isOneOfNameless, peopleHere } from './people-here.ts';

const person = (name: string | null, ...places: [string, string | null][]): Person => ({
  ...{ id: name ?? 'nameless', name },
  looking: places.map(([workspace, session]) => ({ workspace, session })),
});

test('the same session first, then by name, the nameless after, oneself last; nobody from elsewhere', () => {
  const people = [
    person('Ada', ['demo', 's1']),
    person(null, ['demo', 's2']),
    person('Zoe', ['demo', 's2'], ['demo', 's1']),
    person('Bob', ['demo', null]),
    person('Cyd', ['lab', 's1']),
    person('Ann', ['demo', 's2'], ['lab', 's9']),
  ];
  const names = (session: string | null) =>
    peopleHere(people, { workspace: 'demo', session, me: 'Ada' }).map(({ name }) => name);
  expect(names('s1')).toEqual(['Zoe', 'Ann', 'Bob', null, 'Ada']);
  expect(names(null)).toEqual(['Ann', 'Bob', 'Zoe', null, 'Ada']);
});

test('the nameless cannot be told apart once there are two', () => {
  const person = (id: string, name: string | null) => ({ id, name, looking: [] });
  const [me, bo] = [{ id: 'me', name: null }, person('bo', 'Bo')];
  expect(isOneOfNameless({ me, people: [person('me', null), bo] })).toBe(false);
  expect(isOneOfNameless({ me, people: [person('me', null), person('x', null)] })).toBe(true);
  expect(isOneOfNameless({ me: { id: 'me', name: 'Ada' }, people: [person('x', null)] })).toBe(false);
  expect(isOneOfNameless({ me: null, people: [person('x', null)] })).toBe(false);
});
