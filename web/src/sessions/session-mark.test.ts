import type { SessionSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { markOf } from './session-mark.ts';

const session = (change: Partial<SessionSummary>): SessionSummary => ({
  id: 's',
  title: null,
  status: 'idle',
  asks: 0,
  model: null,
  createdAt: '1',
  lastActivityAt: '1',
  ...change,
});

test.each([
  [{}, false, 'quiet', '', null],
  [{}, true, 'fresh', 'new', 'new'],
  [{ status: 'running' }, true, 'running', 'running', null],
  [{ status: 'stopping' }, true, 'running', 'stopping', 'stopping'],
  [{ status: 'paused' }, true, 'asking', 'paused', 'paused'],
  [{ status: 'asking', asks: 1 }, true, 'asking', 'waits for you', 'asks'],
  [{ status: 'stopping', asks: 1 }, false, 'asking', 'waits for you', 'asks'],
  [{ problem: 'line 3 is no JSON', asks: 1 }, true, 'error', 'cannot be loaded', null],
] as const)('%j, unread: %j, is marked %s', (change, unread, tone, words, short) => {
  expect(markOf(session(change), unread)).toEqual({ tone, words, short });
});
