import type { AskBrief } from '@tscodex/shared/asks';
import type { SessionSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { countSessions } from './counts.ts';

const brief: AskBrief = { id: 'ask', kind: 'question', text: 'Which?', cut: false, openedAt: '1' };

test('counts what works and what waits', () => {
  const session = (status: SessionSummary['status'], asks: AskBrief[] = []): SessionSummary => ({
    id: 's',
    title: null,
    status,
    asks,
    lastTurn: null,
    model: null,
    createdAt: '1',
    lastActivityAt: '1',
  });
  const sessions = [
    session('idle'),
    session('running'),
    session('stopping'),
    session('asking', [brief, brief]),
  ];
  expect(countSessions(sessions)).toEqual({ sessions: 4, running: 2, asking: 1 });
});
