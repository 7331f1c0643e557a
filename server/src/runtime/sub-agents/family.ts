/** How a session reaches those that its agent has started: they may be loaded anywhere. */
import type { ResponseItem } from '../../base/response-items.ts';
import type { Session } from '../session-directory.ts';
import type { AgentRow } from './agent-rows.ts';

/** What drives an agent that is a Codex, started for one task. */
export const ONE_SHOT = 'codex-one-shot';

export type NewAgent = {
  nickname: string;
  /** null: what drives the session itself. */
  backend: typeof ONE_SHOT | null;
  model: string | null;
  effort: string | null;
  /** The conversation it begins with. */
  history: readonly ResponseItem[];
};

export interface Family {
  /** All that this session's agent has ever started, oldest first. */
  agents(): AgentRow[];
  /** Makes a session below this one and loads it. */
  create(agent: NewAgent): Promise<Session>;
  /** Loads one if need be. Throws what `SessionDirectory.find` does. */
  find(id: string): Promise<Session>;
  /** Ends what runs in one; it can be read from then on, and opened again. */
  close(id: string): Promise<void>;
  reopen(id: string): Promise<Session>;
  /** Saves that this session's agent knows of the end of a turn. */
  told(id: string, turnId: string): Promise<void>;
}
