import type { AgentStanding } from '../../tools/agents.ts';

/** The end of a turn of an agent that this one has started. */
export type AgentEnd = {
  agentId: string;
  nickname: string;
  turnId: string;
  standing: AgentStanding;
  /** The agent knows of it, or it is none any more. */
  read: boolean;
};
