import type { AskBrief } from '@tscodex/shared/asks';
import type { SessionSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { markOf } from './session-mark.ts';

const waiting: AskBrief = { id: 'ask', kind: 'question', text: 'Which?', cut: false, openedAt: '1' };

const session = (change: Partial<SessionSummary>): SessionSummary => ({
  id: 's',
  title: null,
  status: 'idle',
  asks: [],
  lastTurn: null,
  model: null,
  createdAt: '1',
  lastActivityAt: '1',
  ...change,
});

const marks: [Partial<SessionSummary>, boolean, string, string, string | null][] = [
  [{}, false, 'quiet', '', null],
  [{}, true, 'fresh', 'new', 'new'],
  [{ status: 'running' }, true, 'running', 'working', 'working'],
  [{ status: 'stopping' }, true, 'running', 'stopping', 'stopping'],
  [{ status: 'paused' }, true, 'asking', 'paused', 'paused'],
  [{ status: 'sleeping' }, false, 'sleeping', 'sleeping until something happens', null],
  [{ status: 'sleeping' }, true, 'fresh', 'new', 'new'],
  [{ status: 'asking', asks: [waiting] }, true, 'asking', 'waits for you', 'asks'],
  [{ status: 'stopping', asks: [waiting] }, false, 'asking', 'waits for you', 'asks'],
  [
    { problem: { code: 'rollout.unreadable', message: 'line 3 is no JSON' }, asks: [waiting] },
    true,
    'error',
    'cannot be loaded',
    null,
  ],
];

test.each(marks)('%j, unread: %j, is marked %s', (change, unread, tone, words, short) => {
  expect(markOf(session(change), unread)).toEqual({ tone, words, short });
});
