import type { SessionSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { inListOrder, lineByKey, sessionToOpen, withMoved } from './session-order.ts';

const session = (id: string, createdAt: string, lastActivityAt: string): SessionSummary => ({
  id,
  createdAt,
  lastActivityAt,
  title: null,
  status: 'idle',
  asks: [],
  lastTurn: null,
  model: null,
});
const sessions = [session('old', '1', '9'), session('new', '3', '5'), session('middle', '2', '6')];

test("the server's order is shown with its last on top", () => {
  expect(inListOrder(sessions).map(({ id }) => id)).toEqual(['middle', 'new', 'old']);
});

test('an order that was asked for here holds until the server tells it; a new session is on top', () => {
  const moved = withMoved(['middle', 'old'], 'old', 0);
  expect(moved).toEqual(['old', 'middle']);
  expect(inListOrder(sessions, moved).map(({ id }) => id)).toEqual(['new', 'old', 'middle']);
});

test('the session this device had open is opened again', () => {
  expect(sessionToOpen(sessions, 'middle')).toBe('middle');
});

test('else the one that moved last; where there is none, none', () => {
  expect(sessionToOpen(sessions, 'gone')).toBe('old');
  expect(sessionToOpen(sessions, null)).toBe('old');
  expect(sessionToOpen([], 'gone')).toBeNull();
});

test.each([
  ['ArrowDown', 0, 1],
  ['ArrowDown', 2, 0],
  ['ArrowUp', 0, 2],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['Enter', 0, null],
  ['a', 0, null],
])('%s on line %d of 3 moves to %j', (key, at, to) => {
  expect(lineByKey(key, at, 3)).toBe(to);
});
