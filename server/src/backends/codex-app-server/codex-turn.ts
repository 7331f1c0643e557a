/** One turn of a session on Codex: what is known of it on both sides, and which messages are on their way into it. */
import * as z from 'zod';
import type { TurnOutcome } from '../../agent/turn.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { Failure } from '../../base/errors.ts';
import type { CodexEvents, Notification } from '../codex-events/codex-events.ts';
import { ReconnectDeadline } from './reconnect-deadline.ts';

const aboutTurn = z.object({ turn: z.object({ id: z.string() }) });
const ofTurn = z.object({ turnId: z.string() });
const place = z.object({ threadId: z.string(), turnId: z.string().nullish() });

/** Which turn of Codex has begun or ended. */
export function turnOf({ params }: Notification): string | null {
  return aboutTurn.safeParse(params).data?.turn.id ?? null;
}

type TurnFacts = {
  id: string;
  /** Its thread's. */
  sessionId: string;
  signal: AbortSignal;
  events: CodexEvents;
  reconnectSeconds: number;
};

export class CodexTurn {
  /** Codex's, once it is known. */
  codexId: string | null = null;
  /** Resolves once it is known, or will not be. */
  readonly started = deferred<void>();
  /** Whether Codex may be working on it. */
  sent = false;
  interrupting: Promise<void> | null = null;
  /** Rejects with why Codex has gone, or is given up. */
  readonly ended = deferred<TurnOutcome>();
  /** Resolves once Codex works on it no more, whatever was made of it here. */
  readonly over = deferred<void>();
  /** Steers go one after another. */
  steering: Promise<void> = Promise.resolve();
  /** Messages on their way, by their ids. */
  readonly #said = new Map<string, Deferred<void>>();
  /** What Codex tells before a message that it has taken is shown: it comes after that. null: none is on its way. */
  #held: Notification[] | null = null;
  #letGo = deferred<void>();

  readonly id: string;
  readonly #threadId: string;
  readonly signal: AbortSignal;
  readonly events: CodexEvents;
  readonly reconnects: ReconnectDeadline;

  constructor({ id, sessionId, signal, events, reconnectSeconds }: TurnFacts) {
    this.id = id;
    this.#threadId = sessionId;
    this.signal = signal;
    this.events = events;
    this.reconnects = new ReconnectDeadline(reconnectSeconds, (why) => this.ended.reject(why));
    this.ended.promise.catch(() => undefined); // nobody may be waiting yet
  }

  begun(codexId: string | null): void {
    if (codexId === null) return;
    this.codexId ??= codexId;
    this.started.resolve();
  }

  has(notification: Notification): boolean {
    return this.codexId !== null && ofTurn.safeParse(notification.params).data?.turnId === this.codexId;
  }

  heard(notification: Notification): void {
    // every piece of an answer comes through here
    if (this.reconnects.listensTo(notification) && this.has(notification))
      this.reconnects.heard(notification);
  }

  /** Whether it is about an earlier turn of the session. Agents that Codex itself has started have threads of their own. */
  isPast(request: { params: unknown }): boolean {
    const { threadId, turnId } = place.safeParse(request.params).data ?? {};
    return threadId === this.#threadId && turnId != null && this.codexId !== null && turnId !== this.codexId;
  }

  /** Resolves once Codex has told that the message it was sent is part of the conversation. */
  async said(id: string, send: () => Promise<void>): Promise<void> {
    const said = deferred<void>();
    this.#said.set(id, said);
    said.promise.catch(() => undefined); // it may be rejected while the message is being sent
    try {
      await send();
      await said.promise;
    } finally {
      this.#said.delete(id);
    }
  }

  /** Codex has taken a message. */
  taken(id: string): void {
    const said = this.#said.get(id);
    if (!said) return;
    this.hold();
    said.resolve();
  }

  /** Codex has ended it. */
  finish(outcome: TurnOutcome): void {
    this.untaken();
    this.ended.resolve(outcome);
    this.over.resolve();
  }

  /** Codex itself has ended. */
  gone(why: Failure): void {
    this.untaken(why);
    this.ended.reject(why);
    this.over.resolve();
  }

  /** What was on its way goes on waiting. */
  untaken(
    why: Failure = new Failure('conflict', 'codex.idle', 'Codex has ended the turn; send it again.'),
  ): void {
    for (const one of this.#said.values()) one.reject(why);
  }

  /** What Codex tells from now on waits. */
  hold(): void {
    if (this.#held !== null) return;
    this.#held = [];
    this.#letGo = deferred<void>();
  }

  /** Resolves once nothing waits: what Codex asks is about what it has told before. */
  async heardAll(): Promise<void> {
    while (this.#held !== null) await this.#letGo.promise;
  }

  /** Whether it waits. */
  holds(notification: Notification): boolean {
    this.#held?.push(notification);
    return this.#held !== null;
  }

  /** What has waited is heard. */
  letGo(hear: (notification: Notification) => void): void {
    const held = this.#held ?? [];
    this.#held = null;
    this.#letGo.resolve();
    for (const [at, next] of held.entries()) {
      hear(next);
      // another message that is on its way comes before the rest
      if (this.#held !== null) {
        (this.#held as Notification[]).push(...held.slice(at + 1));
        return;
      }
    }
  }
}
