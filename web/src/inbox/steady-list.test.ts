import { expect, test } from 'vitest';
import { nextLeave, READING_MS, type Row, steady } from './steady-list.ts';
import type { Waiting } from './waiting.ts';

const one = (key: string, since: string): Waiting => ({
  ...{ key, since, ask: null },
  workspace: { id: 'w', name: 'w' },
  session: { id: 's', title: null },
});
const a = one('a', '1');
const b = one('b', '2');
const c = one('c', '3');

/** `a`, `~b`: b has ended. */
const shown = (rows: readonly Row[]) =>
  rows.map(({ waiting, endedAt }) => (endedAt === null ? waiting.key : `~${waiting.key}`)).join(' ');
const free = (now: number) => ({ hand: 'away' as const, now });
const held = (now: number) => ({ hand: 'on' as const, now });

test('what has ended stays in its place for a moment', () => {
  const rows = steady(steady([], [a, b, c], free(0)), [a, c], free(10));
  expect(shown(rows)).toBe('a ~b c');
  expect(nextLeave(rows)).toBe(10 + READING_MS);
  expect(shown(steady(rows, [a, c], free(9 + READING_MS)))).toBe('a ~b c');
  expect(shown(steady(rows, [a, c], free(10 + READING_MS)))).toBe('a c');
});

test('nothing moves under a hand: the new is added below, the ended stays for as long as it takes', () => {
  let rows = steady([], [b, c], free(0));
  rows = steady(rows, [a, c], held(10));
  expect(shown(rows)).toBe('~b c a');
  rows = steady(rows, [a, c], held(10 + 100 * READING_MS));
  expect(shown(rows)).toBe('~b c a');
  expect(shown(steady(rows, [a, c], free(11 + 100 * READING_MS)))).toBe('a c');
});

test('what is under a hand below the list is not pushed away either', () => {
  const rows = steady([], [a, b], free(0));
  expect(shown(steady(rows, [b, c], { hand: 'below', now: 9 * READING_MS }))).toBe('~a b');
  expect(shown(steady(rows, [b, c], free(10)))).toBe('~a b c');
});

test('one that waits again is back in its place', () => {
  const rows = steady(steady([], [a, b], free(0)), [b], held(10));
  expect(shown(steady(rows, [a, b], held(20)))).toBe('a b');
});

test('no change is the same list', () => {
  const rows = steady(steady([], [a, b], free(0)), [b], free(10));
  expect(steady(rows, [b], free(20))).toBe(rows);
  expect(nextLeave(steady([], [a], free(0)))).toBeNull();
});
