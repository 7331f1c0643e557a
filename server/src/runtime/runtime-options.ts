/** What a session is made of: what was loaded of it, what it shares with others, and what drives its agent. */
import type { Input } from '@tscodex/shared/inputs';
import type { SessionState } from '@tscodex/shared/session-state';
import type { SessionSummary } from '@tscodex/shared/workspace';
import type { AgentBackend, BackendHost } from '../backends/backend.ts';
import type { Hook } from '../base/config/config-hooks.ts';
import type { MayRead } from '../base/file-at-path.ts';
import type { ItemIndex } from '../session/item-index.ts';
import type { SessionFile } from '../session/rollout.ts';
import type { UsageTally } from '../session/usage-tally.ts';
import type { KeptGrants } from './asks/kept-grants.ts';
import type { SavedRules } from './asks/saved-rules.ts';
import type { Attachments } from './attachments/attachments.ts';
import type { KeptWakes } from './background/wakes.ts';
import type { HookRunner } from './hooks/hook-runner.ts';
import type { Outputs } from './outputs.ts';
import type { SessionsElsewhere } from './resume-command.ts';
import type { SessionContext } from './session-context.ts';
import type { SessionPermissions } from './session-permissions.ts';
import type { SessionStore } from './session-store.ts';
import type { Efforts, WorkingPlace } from './settings-changes.ts';
import type { Family } from './sub-agents/family.ts';
import type { OpenTurn } from './turns.ts';
import type { UsageRates } from './usage.ts';
import type { Workplaces } from './workplaces.ts';

export type RuntimeOptions = {
  /** The state as it was loaded. */
  state: SessionState;
  lastActivityAt: string;
  store: SessionStore;
  rollout: SessionFile;
  /** Where in its files the session's items stand. */
  index: ItemIndex;
  outputs: Outputs;
  attachments: Attachments;
  workplaces: Workplaces;
  /** Somebody has given it this title. */
  titled(title: string): void;
  permissions: SessionPermissions;
  place: WorkingPlace;
  efforts: Efforts;
  context: Pick<SessionContext, 'skillsNamedIn'>;
  rules: Pick<SavedRules, 'add'>;
  /** What of the commands that a restart has ended is to be told, and whether it may wake the agent. */
  wakes: KeptWakes;
  /** What the session's commands may read, as of now. */
  reads(): MayRead;
  /** What was used so far. */
  usage: UsageTally;
  /** Of its workspace; null while that is broken or gone. */
  workspaceDir(): string | null;
  /** The user's programs that are told of the session, and what runs them. */
  hooks: { hooks: readonly Hook[]; runner: HookRunner };
  rates: UsageRates;
  /** The sessions that its agent has started. */
  family: Family;
  /** Whether it may start more, and how many may be open at a time. */
  agents: { may: boolean; most: number };
  /** Of a session that an agent has started; null for others. */
  subAgent: {
    /** What people have allowed for the session that has started it. */
    granted(): KeptGrants;
    /** Whether its agent is closed. */
    isClosed(): boolean;
    /** Whether it takes one task and nothing more. */
    oneShot: boolean;
  } | null;
  /** Ids of all inputs accepted in the session's life. */
  knownInputs: Set<string>;
  backend(host: BackendHost): AgentBackend;
  /** A turn to go on with; see `planRestart`. */
  openTurn: OpenTurn | null;
  paused: boolean;
  lastTurn: SessionSummary['lastTurn'];
  /** Commands that were accepted and not run. */
  commands: Input[];
  onChange(): void;
  /** Begins a session beside this one with its conversation, as far as its turns have ended. */
  fork(): Promise<{ id: string; title: string | null }>;
  /** What one may go to from here. */
  sessions: SessionsElsewhere;
  fault(what: string, error: unknown): void;
};
