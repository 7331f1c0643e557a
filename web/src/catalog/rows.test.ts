import { expect, test } from 'vitest';
import { foundSections, rowByKey } from './rows.ts';
import { entry } from './testing.ts';

const hit = (itemId: string) => ({ itemId, by: 'user' as const, at: '1', snippet: [] });
const said = {
  sessions: [{ session: entry('a'), hits: [hit('1'), hit('2')], more: 3 }],
  cut: false,
  indexing: null,
};

test('titles come first, then what was said, each place below its session', () => {
  const found = foundSections([entry('a'), entry('b')], true, said);
  expect(found.map(({ title, rows }) => [title, rows.map(({ key }) => key)])).toEqual([
    ['Sessions', ['session a', 'session b', 'more']],
    ['What was said', ['said a', 'hit a 1', 'hit a 2']],
  ]);
  expect(found[1]?.rows[0]).toMatchObject({ kind: 'session', places: 5 });
});

test('a kind of which nothing was found has no heading', () => {
  expect(foundSections([], false, said).map(({ title }) => title)).toEqual(['What was said']);
  expect(foundSections([], false, null)).toEqual([]);
});

test.each([
  ['ArrowDown', 0, 3, 1],
  ['ArrowDown', 2, 3, 2],
  ['ArrowUp', 0, 3, 0],
  ['PageDown', 0, 3, 2],
  ['PageUp', 20, 30, 12],
  ['ArrowDown', 0, 0, null],
  ['Home', 2, 3, null],
  ['a', 2, 3, null],
])('%s on line %i of %i leads to %j', (key, at, count, to) => {
  expect(rowByKey(key, at, count)).toBe(to);
});
