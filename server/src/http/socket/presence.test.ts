import { PEOPLE_LIMIT } from '@tscodex/shared/limits';
import type { Me, Person } from '@tscodex/shared/workspace';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Presence } from './presence.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ada = { id: 'a', name: 'Ada' };
const grace = { id: 'g', name: null };
const place = { workspace: 'demo', session: 's1' };
const elsewhere = { workspace: 'demo', session: null };

/** A page as the server knows one; what it is told adds up to `people`. */
class Page {
  bytes = 0;
  people = new Map<string, Person>();
  more = 0;
  frames: unknown[] = [];

  constructor(
    private readonly presence: Presence,
    readonly me: Me,
  ) {}

  listen(): this {
    this.presence.listen((frame) => this.#take(frame));
    this.#take(this.presence.frame());
    return this;
  }

  #take(text: string): void {
    this.bytes += text.length;
    const frame = JSON.parse(text);
    this.frames.push(frame);
    if (frame.type === 'people') this.people.clear();
    for (const id of frame.gone ?? []) this.people.delete(id);
    for (const person of frame.people) this.people.set(person.id, person);
    this.more = frame.more;
  }
}

test('who looks at something is there, their pages joined; who looks at nothing is not', () => {
  const presence = new Presence();
  const page = new Page(presence, ada).listen();
  const other = {};
  presence.see(page, ada, place);
  presence.see(other, ada, elsewhere);
  presence.see({}, ada, place);
  presence.see({}, grace, null);
  vi.runAllTimers();
  expect(page.frames).toEqual([
    { type: 'people', people: [], more: 0 },
    { type: 'people.changed', people: [{ ...ada, looking: [place, elsewhere] }], gone: [], more: 0 },
  ]);
  presence.leave(other, ada);
  vi.runAllTimers();
  expect([...page.people.values()]).toEqual([{ ...ada, looking: [place] }]);
});

test('a tab that is hidden leaves like one that is closed, and a new name is told', () => {
  const presence = new Presence();
  const page = new Page(presence, ada).listen();
  const tab = {};
  presence.see(tab, grace, place);
  vi.runAllTimers();
  presence.see(tab, { id: 'g', name: 'Grace' }, place);
  vi.runAllTimers();
  expect(page.people.get('g')).toEqual({ id: 'g', name: 'Grace', looking: [place] });
  presence.see(tab, { id: 'g', name: 'Grace' }, null);
  vi.runAllTimers();
  expect(page.people.size).toBe(0);
  presence.leave(tab, grace);
  vi.runAllTimers();
  expect(page.frames).toHaveLength(4);
});

test('changes that come to nothing are told to nobody, and without listeners nothing runs', () => {
  const presence = new Presence();
  presence.see({}, grace, place);
  expect(vi.getTimerCount()).toBe(0);
  const page = new Page(presence, ada).listen();
  expect(page.people.get('g')).toBeDefined();
  const tab = {};
  presence.see(tab, ada, place);
  presence.leave(tab, ada);
  vi.runAllTimers();
  expect(page.frames).toHaveLength(1);
});

test('who comes between two tellings misses nothing', () => {
  const presence = new Presence();
  new Page(presence, ada).listen();
  const tab = {};
  presence.see(tab, grace, place);
  const late = new Page(presence, ada).listen();
  vi.runAllTimers();
  expect([...late.people.keys()]).toEqual(['g']);
  presence.see(tab, grace, elsewhere);
  const later = new Page(presence, ada).listen();
  presence.see(tab, grace, place);
  vi.runAllTimers();
  expect(later.people.get('g')?.looking).toEqual([place]);
});

test('one person with many tabs weighs no more than a few places', () => {
  const presence = new Presence();
  for (let i = 0; i < 100; i++) presence.see({}, ada, { workspace: 'demo', session: `s${i}` });
  const page = new Page(presence, grace).listen();
  expect(page.people.get('a')?.looking).toHaveLength(8);
});

test('500 viewers: a coming or going costs each of them a few bytes', () => {
  const presence = new Presence();
  const pages = Array.from({ length: 500 }, (_, i) => new Page(presence, { id: `${i}`, name: `P ${i}` }));
  for (const page of pages) {
    page.listen();
    presence.see(page, page.me, place);
  }
  vi.runAllTimers();
  const costs = (happens: () => void) => {
    for (const page of pages) page.bytes = 0;
    happens();
    vi.runAllTimers();
    return pages.reduce((sum, { bytes }) => sum + bytes, 0);
  };
  expect(pages[0]?.people.size).toBe(PEOPLE_LIMIT);
  expect(pages[0]?.more).toBe(450);
  const tab = {};
  expect(costs(() => presence.see(tab, grace, place))).toBeLessThan(500 * 100);
  expect(pages[0]?.more).toBe(451);
  expect(costs(() => presence.leave(tab, grace))).toBeLessThan(500 * 100);
  // somebody that everybody sees goes, and the next takes the place
  const first = pages[0] as Page;
  expect(costs(() => presence.leave(first, first.me))).toBeLessThan(500 * 200);
  expect(pages[1]?.people.size).toBe(PEOPLE_LIMIT);
  expect(pages[1]?.people.has('0')).toBe(false);
  expect(costs(() => undefined)).toBe(0);
});
