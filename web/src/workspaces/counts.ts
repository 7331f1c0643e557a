/** What a workspace's card says about its sessions. Pure. */
import type { SessionStatus } from '@tscodex/shared/events';
import type { SessionSummary } from '@tscodex/shared/workspace';

const UNFINISHED: readonly SessionStatus[] = ['running', 'stopping', 'asking', 'sleeping', 'paused'];

export type Counts = {
  sessions: number;
  running: number;
  /** Those that go on when a person has answered or resumed them. */
  waiting: number;
  /** null: there is no session. */
  lastActivityAt: string | null;
};

/** Sessions in which removing the workspace would end or leave something undone. */
export function countUnfinished(sessions: readonly SessionSummary[]): number {
  return sessions.filter(({ status, asks }) => asks.length > 0 || UNFINISHED.includes(status)).length;
}

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
