import type { SessionSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { isUnread, look } from './seen-sessions.ts';

const session = (id: string, lastActivityAt: string): SessionSummary => ({
  id,
  lastActivityAt,
  title: null,
  status: 'idle',
  asks: [],
  lastTurn: null,
  model: null,
  createdAt: '1',
});

test('on first sight everything counts as read', () => {
  const seen = look(null, [session('a', '1'), session('b', '2')], 'a');
  expect(seen).toEqual({ a: '1', b: '2' });
  expect(isUnread(seen, session('b', '2'))).toBe(false);
});

test('what moves on unseen is unread until looked at; what is looked at never is', () => {
  const before = { a: '1', b: '2' };
  const moved = [session('a', '3'), session('b', '4')];
  const seen = look(before, moved, 'a');
  expect(seen).toEqual({ a: '3', b: '2' });
  expect(moved.map((s) => isUnread(seen, s))).toEqual([false, true]);
  expect(look(seen, moved, 'b')).toEqual({ a: '3', b: '4' });
});

test('a new session of somebody else is unread', () => {
  const sessions = [session('a', '1'), session('new', '5')];
  const seen = look({ a: '1' }, sessions, 'a');
  expect(isUnread(seen, session('new', '5'))).toBe(true);
});

test('sessions that are gone are forgotten, and nothing new is the same object', () => {
  expect(look({ a: '1', gone: '1' }, [session('a', '1')], null)).toEqual({ a: '1' });
  const seen = { a: '1' };
  expect(look(seen, [session('a', '1')], null)).toBe(seen);
});
