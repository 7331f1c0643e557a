import type { AskBrief } from '@tscodex/shared/asks';
import type { SessionSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { countSessions, countUnfinished } from './counts.ts';

const brief: AskBrief = { id: 'ask', kind: 'question', text: 'Which?', cut: false, openedAt: '1' };
const session = (status: SessionSummary['status'], more: Partial<SessionSummary> = {}): SessionSummary => ({
  ...{ id: 's', title: null, status, asks: [], lastTurn: null, model: null },
  ...{ createdAt: '1', lastActivityAt: '1' },
  ...more,
});

test('counts what works and what waits for somebody', () => {
  const sessions = [
    session('idle'),
    session('running', { lastActivityAt: '3' }),
    session('stopping', { lastActivityAt: '2' }),
    session('asking', { asks: [brief, brief] }),
    session('paused'),
  ];
  expect(countSessions(sessions)).toEqual({ sessions: 5, running: 2, waiting: 2, lastActivityAt: '3' });
});

test('work that a removal would end is counted once a session, sleeping work too', () => {
  const sessions = [
    session('idle'),
    session('running', { asks: [brief] }),
    session('sleeping'),
    session('paused'),
  ];
  expect(countUnfinished(sessions)).toBe(3);
});

test('no session, no activity', () => {
  expect(countSessions([])).toEqual({ sessions: 0, running: 0, waiting: 0, lastActivityAt: null });
});
