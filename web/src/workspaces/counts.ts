/** What a workspace's line says about its sessions. Pure. */
import type { SessionSummary } from '@tscodex/shared/workspace';

export type Counts = { sessions: number; running: number; asking: number };

export function countSessions(sessions: readonly SessionSummary[]): Counts {
  const having = (has: (session: SessionSummary) => boolean) => sessions.filter(has).length;
  return {
    sessions: sessions.length,
    running: having(({ status }) => status === 'running' || status === 'stopping'),
    asking: having(({ asks }) => asks.length > 0),
  };
}
