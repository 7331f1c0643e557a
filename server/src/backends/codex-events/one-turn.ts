/**
 * The one turn of a thread that is begun for one task: its answer and its end, and of what Codex tells meanwhile what
 * may be shown elsewhere. What other threads do, and what Codex says in its own words, is left out.
 */
import * as z from 'zod';
import type { Notification } from './codex-events.ts';
import { type CodexFailure, failureOf } from './failure-class.ts';
import { isOfModel } from './of-model.ts';
import { retryOf } from './turn-error.ts';

export type OneTurnEnd =
  | { status: 'completed' }
  | { status: 'interrupted' }
  | { status: 'failed'; failure: CodexFailure };

const SHOWN =
  /^(item\/(started|completed|agentMessage\/|reasoning\/|commandExecution\/)|thread\/tokenUsage\/|turn\/plan\/)/;

const ofThread = z.object({ threadId: z.string() });
const aboutTurn = z.union([
  z.object({ turnId: z.string() }).transform(({ turnId }) => turnId),
  z.object({ turn: z.object({ id: z.string() }) }).transform(({ turn }) => turn.id),
]);
const message = z.object({
  item: z.object({ type: z.literal('agentMessage'), text: z.string(), phase: z.string().nullish() }),
});
const completed = z.object({ turn: z.object({ status: z.string(), error: z.unknown().optional() }) });
const errorEvent = z.object({ error: z.unknown(), willRetry: z.boolean().catch(false) });

export class OneTurn {
  #id: string | null = null;
  #final: string | null = null;
  #plain: string | null = null;
  #seen: number | undefined;
  #retrying = false;
  #end: OneTurnEnd | null = null;

  constructor(private readonly threadId: string) {}

  /** Once Codex has told of it. */
  get id(): string | null {
    return this.#id;
  }

  get end(): OneTurnEnd | null {
    return this.#end;
  }

  /** The last message that is said to be the answer, else the last that is not said to be anything; null: none. */
  get answer(): string | null {
    const said = this.#final ?? this.#plain;
    return said?.trim() ? said : null;
  }

  /** Whether Codex waits for its provider, and the status that it has told last. */
  get trouble(): { retrying: boolean; httpStatus: number | undefined } {
    return { retrying: this.#retrying, httpStatus: this.#seen };
  }

  /** Of what Codex tells what may be shown; null: nothing. */
  take(notification: Notification): Notification | null {
    const { method, params } = notification;
    if (ofThread.safeParse(params).data?.threadId !== this.threadId) return null;
    this.#id ??= aboutTurn.safeParse(params).data ?? null;
    if (method === 'error') return this.#error(params);
    if (method === 'turn/completed') this.#completed(params);
    if (!SHOWN.test(method)) return null;
    if (isOfModel(notification)) this.#retrying = false;
    if (method === 'item/completed') this.#say(params);
    return notification;
  }

  #say(params: unknown): void {
    if (this.#end) return;
    const said = message.safeParse(params).data?.item;
    if (said?.phase === 'final_answer') this.#final = said.text;
    else if (said && said.phase == null) this.#plain = said.text;
  }

  /** Without the words of whoever has failed. */
  #error(params: unknown): Notification | null {
    const event = errorEvent.safeParse(params).data;
    if (!event?.willRetry) return null;
    const { attempt, max, httpStatus } = retryOf(event.error);
    this.#retrying = true;
    this.#seen = httpStatus ?? this.#seen;
    const info = { responseStreamDisconnected: { httpStatusCode: httpStatus ?? null } };
    const error = { message: `Codex tries again (${attempt}/${max})`, codexErrorInfo: info };
    return { method: 'error', params: { error, willRetry: true } };
  }

  #completed(params: unknown): void {
    const turn = completed.safeParse(params).data?.turn;
    if (turn?.status === 'completed' || turn?.status === 'interrupted') this.#end = { status: turn.status };
    else this.#end = { status: 'failed', failure: failureOf(turn?.error, this.#seen) };
  }
}
