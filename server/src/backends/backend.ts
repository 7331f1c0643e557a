/** A backend drives one session's agent; the runtime above it owns queues, asks, events and files. */
import type { BackgroundCommand, EventBody, Usage } from '@tscodex/shared/events';
import type { Grants } from '@tscodex/shared/permissions';
import type { RecordedCompaction } from '../agent/compaction/compaction.ts';
import type { TurnOutcome } from '../agent/turn.ts';
import type { Policy } from '../approvals/decide.ts';
import type { ResponseItem } from '../base/response-items.ts';
import type { EnvironmentChange } from '../exec/login-environment.ts';
import type { BackgroundEnd } from '../exec/running-process.ts';
import type { Agents } from '../tools/agents.ts';
import type { AllowedBy, Asking } from '../tools/tool.ts';

/** What the runtime gives its backend. */
export interface BackendHost {
  emit(event: EventBody): void;
  /** Puts model-visible items into the session's file. Rejects when the disk refuses. */
  record(items: readonly ResponseItem[]): Promise<void>;
  /** Puts into the session's file, on disk, what the conversation goes on with. Rejects as `record` does. */
  recordCompaction(compaction: RecordedCompaction): Promise<void>;
  /** Hands over what waits for the running turn, saved; see `TurnPorts.takeInputs`. `most`: so many messages only. */
  takeInputs(most?: number): Promise<ResponseItem[]>;
  /** Awaited right before a request to the model goes out. */
  sending(): Promise<void>;
  /** A request of the conversation was answered: what it took is what the conversation takes now. */
  used(usage: Usage, model: string): void;
  /** A request beside the conversation was answered: for a summary of it, by a fork. */
  usedAside(usage: Usage, model: string): void;
  /** The conversation has become another one, as after a compaction, of about so many tokens. */
  contextReplaced(tokens: number): void;
  asking(call: { turnId: string; callId: string; itemId: string; signal: AbortSignal }): Asking;
  /** Asked before each request: switches of the git branch that the model was not told of yet. */
  branchSwitches(): { from: string; to: string }[];
  /** A command that was left running has ended by itself, and nobody has read its end. */
  commandEnded(end: BackgroundEnd): void;
  /** Minutes; null ends the clock. Resolves once saved. */
  setClock(periodMinutes: number | null): Promise<void>;
  /** null where this agent may start none. */
  agents: Agents | null;
  /** Saves that a call has begun to act. */
  begin(turnId: string, callId: string): Promise<void>;
  policy(): Policy;
  /** What people have allowed beyond the sandbox, for all commands of the running turn or of the session. */
  allowed(): Grants;
  /** Of these, what holds for the rest of the session. */
  allowedForSession(): Grants;
  /** Who has allowed what a key names, for the running turn or the session; null: nobody. */
  allowedBy(key: string): AllowedBy | null;
  steerWaiting(): boolean;
  onSteer(listener: () => void): () => void;
  /** A fault of ours, for the log. */
  fault(what: string, error: unknown): void;
}

/** `effort`: undefined for the model's own. */
export type BackendChange = { model?: string; effort: string | undefined };

/**
 * A copy of a conversation: carries out an instruction on it, once, and is done with. Nothing is recorded or shown,
 * nobody is asked: what would ask is refused. Resolves when nothing of it runs any more.
 */
export type Fork = (instruction: string, signal: AbortSignal) => Promise<ForkOutcome>;

/** `done`: the commands and patches that were carried out, the first ones of many. */
export type ForkOutcome = TurnOutcome & { done: readonly string[] };

export interface AgentBackend {
  /**
   * Runs a turn to its end; resolves only when nothing of it runs any more. Aborting the signal interrupts it.
   * Where the history ends in unanswered calls, it goes on with them.
   */
  runTurn(turnId: string, signal: AbortSignal): Promise<TurnOutcome>;
  /** Whether anything was said that can be summed up. */
  hasConversation(): boolean;
  /** Sums the conversation up, as a turn of its own; what becomes of it is an item. */
  compact(turnId: string, signal: AbortSignal): Promise<TurnOutcome>;
  /** Copies the conversation as it is; may run beside turns. null where it cannot. */
  fork(): Fork | null;
  /** Model names the provider offers. Throws `ModelFailure`. */
  listModels(signal: AbortSignal): Promise<string[]>;
  /** What makes this change. Throws `model.config` for a model that the configuration gives no way to. */
  change(change: BackendChange): () => void;
  /** Commands that outlived their turn. */
  background(): BackgroundCommand[];
  /** Throws `notFound`. */
  stopCommand(processId: string): Promise<void>;
  /** Makes the environment of commands anew, from the next one on. Throws `environment.profile`. */
  refreshEnvironment(): Promise<EnvironmentChange>;
  /** All that is still held of a command's output; null when it is not held (any more). */
  output(itemId: string): string | null;
  /** Ends all that runs. */
  close(): Promise<void>;
}
