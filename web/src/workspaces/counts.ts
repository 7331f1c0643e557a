/** What a workspace's card says about its sessions. Pure. */
import type { SessionSummary } from '@tscodex/shared/workspace';

export type Counts = {
  sessions: number;
  running: number;
  /** Those that go on when a person has answered or resumed them. */
  waiting: number;
  /** null: there is no session. */
  lastActivityAt: string | null;
};

export function countSessions(sessions: readonly SessionSummary[]): Counts {
  const having = (has: (session: SessionSummary) => boolean) => sessions.filter(has).length;
  return {
    sessions: sessions.length,
    running: having(({ status }) => status === 'running' || status === 'stopping'),
    waiting: having(({ asks, status }) => asks.length > 0 || status === 'paused'),
    lastActivityAt: sessions.reduce<string | null>(
      (latest, { lastActivityAt }) => (latest === null || lastActivityAt > latest ? lastActivityAt : latest),
      null,
    ),
  };
}
