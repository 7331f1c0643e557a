/**
 * What serves a page may ask of sessions. The page's server goes through `SessionDirectory` alone, so that a
 * session's runtime may one day live in another process; the first implementation is a map in this one.
 */
import type { AskAnswer, AskEnding, SessionGrant } from '@tscodex/shared/asks';
import type { SessionEvent } from '@tscodex/shared/events';
import type { InputPatch, NewInput } from '@tscodex/shared/inputs';
import type { Item } from '@tscodex/shared/items';
import type {
  Found,
  ItemPage,
  SessionChange,
  SessionModel,
  SessionSnapshot,
  SessionSummary,
} from '@tscodex/shared/workspace';
import type { PageAsked } from '../session/item-pages.ts';

/** One subscriber. Its methods are called in the order of events and must not throw or block. */
export interface Viewer {
  /** Replaces all the viewer knows. */
  snapshot(snapshot: SessionSnapshot): void;
  /** The next events, without a gap to what came before. */
  events(epoch: string, events: readonly SessionEvent[]): void;
  /** The session was closed or unloaded; nothing follows. */
  ended(reason: string): void;
}

export interface Session {
  readonly id: string;
  readonly workspaceId: string;

  summary(): SessionSummary;
  snapshot(): SessionSnapshot;
  /**
   * Attaches a viewer, atomically: it gets at once either the events after `from.after` (when that epoch is
   * current and they are still kept) or a snapshot, and from then on every event. Returns how to detach.
   */
  subscribe(viewer: Viewer, from?: { epoch: string; after: number }): () => void;

  /** Resolves once the input is on disk. An id that was accepted before is a duplicate and changes nothing. */
  submit(input: NewInput, author: string | null): Promise<{ inputId: string; duplicate: boolean }>;
  /** Throws `notFound` when the input does not wait any more. */
  changeInput(id: string, patch: InputPatch, by: string | null): Promise<void>;
  withdrawInput(id: string): Promise<void>;

  /** Stops the running turn; resolves when the stop is under way. Idle: nothing happens. */
  interrupt(by: string | null): Promise<void>;
  /** Goes on after an interruption by a restart, or lifts `paused`. Throws `conflict` when there is nothing to. */
  resume(by: string | null): Promise<void>;
  /** Resolves once the answer is on disk. Throws `conflict` (details: outcome, by) when the ask has ended. */
  answer(askId: string, answer: AskAnswer, by: string | null): Promise<void>;
  /** How an ask has ended. Throws `notFound`. */
  askEnding(askId: string): AskEnding;
  /** What was allowed for the rest of the session, the newest first. */
  grants(): SessionGrant[];
  /** Takes one back; resolves once that is on disk. Throws `notFound` for one that does not hold. */
  takeBackGrant(id: string, by: string | null): Promise<void>;
  /** Ends the clock that wakes the agent. None is set: nothing happens. */
  stopClock(by: string | null): Promise<void>;
  /** Ends a background command. Throws `notFound`. */
  stopCommand(processId: string, by: string | null): Promise<void>;

  /** Throws `conflict` for what needs an idle session, `forbidden` for what a page may not set. */
  change(change: SessionChange, by: string | null): Promise<void>;
  /** What it can go on with: its own model first, then those that the provider lists, if it does. */
  models(): Promise<SessionModel[]>;
  /** A page of the conversation, by an item's id. Throws `notFound` for an unknown one. */
  items(asked: PageAsked, limit: number): Promise<ItemPage>;
  /** Where in the whole conversation `words` are said. Looks no further once nobody waits for it. */
  find(words: string, gone: AbortSignal): Promise<Found>;
  /** All of the conversation as it is now, oldest first. Throws `rollout.unreadable`. */
  all(): AsyncGenerator<Item>;
  /** A command's output as far as it is kept, UTF-8. Throws `notFound`. */
  output(itemId: string): Promise<string>;
}

export interface SessionDirectory {
  /** Loads the session if need be. Throws `notFound`, or `unavailable` when it is broken. */
  find(sessionId: string): Promise<Session>;
}
