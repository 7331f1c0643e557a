import type { SessionSummary } from '@tscodex/shared/workspace';
import { expect, test } from 'vitest';
import { countSessions } from './counts.ts';

test('counts what works and what waits', () => {
  const session = (status: SessionSummary['status'], asks = 0): SessionSummary => ({
    id: 's',
    title: null,
    status,
    asks,
    model: null,
    createdAt: '1',
    lastActivityAt: '1',
  });
  const sessions = [session('idle'), session('running'), session('stopping'), session('asking', 2)];
  expect(countSessions(sessions)).toEqual({ sessions: 4, running: 2, asking: 1 });
});
