/**
 * Who has what in view. Pages of one login are one person; whoever looks at nothing is not there. Everybody hears
 * the same: once who is there, then only what has changed, so that a coming or going costs each page a few bytes.
 */
import { PEOPLE_LIMIT } from '@tscodex/shared/limits';
import type { Me, Person } from '@tscodex/shared/workspace';

/** Changes within this time are joined. */
const JOIN_MS = 300;

/** Different places of one person that the others are told of. */
const PLACES_LIMIT = 8;

export type Place = Person['looking'][number];

/** One page: whose it is, and what is in view on it. */
type View = { me: Me; place: Place | null };

export class Presence {
  /** By person, in the order in which they came; each with their pages. */
  readonly #people = new Map<string, Map<object, View>>();
  readonly #listeners = new Set<(frame: string) => void>();
  /** What listeners know: the JSON of each person, and how many more there are. */
  #told = new Map<string, string>();
  #toldMore = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `page` stands for the connection that says so. */
  see(page: object, me: Me, place: Place | null): void {
    const pages = this.#people.get(me.id) ?? new Map<object, View>();
    this.#people.set(me.id, pages.set(page, { me, place }));
    this.#changed();
  }

  leave(page: object, { id }: Me): void {
    const pages = this.#people.get(id);
    if (!pages?.delete(page)) return;
    if (pages.size === 0) this.#people.delete(id);
    this.#changed();
  }

  /** The frame that says who is there, as listeners know it: what they hear next goes on from there. */
  frame(): string {
    return `{"type":"people","people":[${[...this.#told.values()].join(',')}],"more":${this.#toldMore}}`;
  }

  /** Calls `listener` with the frame of what has changed. Returns how to stop. */
  listen(listener: (frame: string) => void): () => void {
    if (this.#listeners.size === 0) this.#catchUp();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #changed(): void {
    if (this.#listeners.size === 0) return;
    this.#timer ??= setTimeout(() => this.#publish(), JOIN_MS);
  }

  #publish(): void {
    this.#timer = undefined;
    const before = this.#told;
    const moreBefore = this.#toldMore;
    this.#catchUp();
    const changed = [...this.#told].filter(([id, person]) => before.get(id) !== person);
    const people = changed.map(([, person]) => person).join(',');
    const gone = [...before.keys()].filter((id) => !this.#told.has(id));
    if (people === '' && gone.length === 0 && this.#toldMore === moreBefore) return;
    const rest = `"gone":${JSON.stringify(gone)},"more":${this.#toldMore}`;
    const frame = `{"type":"people.changed","people":[${people}],${rest}}`;
    for (const listener of this.#listeners) listener(frame);
  }

  #catchUp(): void {
    this.#told = new Map();
    this.#toldMore = 0;
    for (const [id, pages] of this.#people) {
      const person = personOf([...pages.values()]);
      if (person.looking.length === 0) continue;
      if (this.#told.size < PEOPLE_LIMIT) this.#told.set(id, JSON.stringify(person));
      else this.#toldMore++;
    }
  }
}

/** A login has one name on all its pages. */
function personOf(pages: View[]): Person {
  const places = new Map<string, Place>();
  for (const { place } of pages) if (place) places.set(JSON.stringify(place), place);
  return { ...(pages[0] as View).me, looking: [...places.values()].slice(0, PLACES_LIMIT) };
}
