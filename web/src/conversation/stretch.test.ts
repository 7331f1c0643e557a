import type { Item } from '@tscodex/shared/items';
import { expect, test } from 'vitest';
import { afterTrim, around, newest, type Stretch, withNewer, withOlder } from './stretch.ts';

const item = (id: string): Item => ({
  id,
  type: 'notice',
  turnId: null,
  status: 'completed',
  startedAt: '2026-01-01T00:00:00.000Z',
  level: 'info',
  code: 'test',
  text: id,
});
const shown = (ids: string, older: string | null) => ({ items: [...ids].map(item), older });
const page = (ids: string, older: string | null, newer: string | null) => ({
  items: [...ids].map(item),
  older,
  newer,
});
const told = ({ items, older, newer, number }: Stretch) => [
  items.map(({ id }) => id).join(''),
  older,
  newer,
  number,
];
const many = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => item(String(from + i).padStart(5, '0')));

test('older pages go in front, and nothing twice', () => {
  const state = shown('gh', 'g');
  const first = withOlder(newest(state, 0), page('defg', 'd', 'g'), state.items);
  expect(told(first)).toEqual(['def', 'd', null, 0]);
  expect(told(withOlder(first, page('abcd', null, 'd'), state.items))).toEqual(['abcdef', null, null, 0]);
});

test('around an item far away there is a gap, which newer pages close', () => {
  const state = shown('xyz', 'x');
  const far = around(page('bcd', 'b', 'd'), state.items, 1);
  expect(told(far)).toEqual(['bcd', 'b', 'd', 1]);
  const nearer = withNewer(far, page('efg', 'e', 'g'), state.items);
  expect(told(nearer)).toEqual(['bcdefg', 'b', 'g', 1]);
  expect(told(withNewer(nearer, page('wxy', 'w', 'y'), state.items))).toEqual(['bcdefgw', 'b', null, 1]);
  expect(told(around(page('wxy', 'w', 'y'), state.items, 2))).toEqual(['w', 'w', null, 2]);
  // what the state holds is not on disk
  expect(told(withNewer(nearer, page('h', 'h', null), state.items))).toEqual(['bcdefgh', 'b', null, 1]);
});

test('a reader keeps what the state drops, so that nothing is missing in between', () => {
  const stretch = { items: [item('a')], older: null, newer: null, number: 0 };
  const next = afterTrim(stretch, shown('bcd', 'b'), shown('de', 'd'), false);
  expect(told(next)).toEqual(['abc', null, null, 0]);
});

test('who follows the end lets go of what is far above', () => {
  const stretch = { items: [item('a')], older: null, newer: null, number: 0 };
  expect(told(afterTrim(stretch, shown('bcd', 'b'), shown('de', 'd'), true))).toEqual(['', 'd', null, 0]);
});

test('what stays in progress at the front does not hide that others were dropped', () => {
  const next = afterTrim(newest(shown('abc', null), 0), shown('abc', null), shown('acd', 'c'), false);
  expect(told(next)).toEqual(['b', null, null, 0]);
});

test('another snapshot starts over; no change is the same object; behind a gap nothing matters', () => {
  const stretch = { items: [item('a')], older: null, newer: null, number: 0 };
  expect(told(afterTrim(stretch, shown('bc', 'b'), shown('xy', 'x'), false))).toEqual(['', 'x', null, 1]);
  expect(afterTrim(stretch, shown('bc', 'b'), shown('bcd', 'b'), false)).toBe(stretch);
  const far = { ...stretch, newer: 'a' };
  expect(afterTrim(far, shown('xy', 'x'), shown('yz', 'y'), false)).toBe(far);
});

test('it stays bounded: the end that the reader is not at is let go, and comes back by its cursor', () => {
  const state = { items: [item('z')], older: 'z' };
  const full = { items: many(1_000, 2_450), older: '01000', newer: null, number: 0 };
  const up = withOlder(full, { items: many(900, 1_000), older: '00900', newer: '00999' }, state.items);
  expect([up.items.length, up.older, up.newer]).toEqual([1_500, '00900', '02399']);
  const down = withNewer(up, { items: many(2_400, 2_500), older: '02400', newer: '02499' }, state.items);
  expect([down.items.length, down.items[0]?.id, down.older, down.newer]).toEqual([
    1_500,
    '01000',
    '01000',
    '02499',
  ]);
});
