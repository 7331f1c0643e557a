import type { Item } from '@tscodex/shared/items';
import { expect, test } from 'vitest';
import { afterTrim, nothingEarlier, withPage } from './older-items.ts';

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
const ids = (items: readonly Item[]) => items.map(({ id }) => id).join('');

test('pages go in front, and nothing twice', () => {
  const state = shown('gh', 'g');
  const first = withPage(
    nothingEarlier(state),
    { items: [...'defg'].map(item), older: 'd', newer: 'g' },
    state.items,
  );
  expect([ids(first.items), first.older]).toEqual(['def', 'd']);
  const second = withPage(first, { items: [...'abcd'].map(item), older: null, newer: 'd' }, state.items);
  expect([ids(second.items), second.older]).toEqual(['abcdef', null]);
});

test('a reader keeps what the state drops, so that nothing is missing in between', () => {
  const earlier = { items: [item('a')], older: null };
  const next = afterTrim(earlier, shown('bcd', 'b'), shown('de', 'd'), false);
  expect([ids(next.items), next.older]).toEqual(['abc', null]);
});

test('who follows the end lets go of what is far above', () => {
  const earlier = { items: [item('a')], older: null };
  expect(afterTrim(earlier, shown('bcd', 'b'), shown('de', 'd'), true)).toEqual({ items: [], older: 'd' });
});

test('what stays in progress at the front does not hide that others were dropped', () => {
  const next = afterTrim(nothingEarlier(shown('abc', null)), shown('abc', null), shown('acd', 'c'), false);
  expect([ids(next.items), next.older]).toEqual(['b', null]);
});

test('another snapshot starts over; no change is the same object', () => {
  const earlier = { items: [item('a')], older: null };
  expect(afterTrim(earlier, shown('bc', 'b'), shown('xy', 'x'), false)).toEqual({ items: [], older: 'x' });
  expect(afterTrim(earlier, shown('bc', 'b'), shown('bcd', 'b'), false)).toBe(earlier);
});
