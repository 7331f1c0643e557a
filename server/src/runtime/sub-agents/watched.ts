/** What a session knows of one agent that its own has started. */
import type { AskBrief } from '@tscodex/shared/asks';
import type { Usage } from '@tscodex/shared/events';
import { NO_USAGE } from '../../session/usage-tally.ts';
import type { Session } from '../session-directory.ts';
import type { AgentEnd } from './agent-end.ts';
import type { AgentRow } from './agent-rows.ts';
import type { Stand } from './standing.ts';

export type Watched = {
  readonly id: string;
  readonly nickname: string;
  closed: boolean;
  /** null while it is not watched. */
  session: Session | null;
  detach(): void;
  stand: Stand;
  asks: readonly AskBrief[];
  /** What of its use is counted. */
  used: Usage;
  toldTurn: string | null;
  /** What this agent is to be told, oldest first. */
  ends: readonly AgentEnd[];
};

export const SHUTDOWN: Stand = { standing: 'shutdown', turnId: null };
export const UNTOUCHED: Stand = { standing: 'pending_init', turnId: null };

export function watched(id: string, name: string): Watched {
  return {
    ...{ id, nickname: name, closed: false, session: null, detach: () => undefined },
    ...{ stand: UNTOUCHED, asks: [], used: NO_USAGE, toldTurn: null, ends: [] },
  };
}

export function fromRow({ id, nickname, closed, toldTurn }: AgentRow): Watched {
  return { ...watched(id, nickname), closed, toldTurn, stand: closed ? SHUTDOWN : UNTOUCHED };
}
