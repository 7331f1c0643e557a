/**
 * One task for one Codex: a process, a thread that nobody keeps, a turn; then all of it is ended. What it does is shown
 * as it comes, and what it asks is declined.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { TurnError } from '@tscodex/shared/events';
import { v7 as uuid } from 'uuid';
import * as z from 'zod';
import type { TurnOutcome } from '../../agent/turn.ts';
import { deferred } from '../../base/deferred.ts';
import { Failure } from '../../base/errors.ts';
import { unlessAborted } from '../../base/unless-aborted.ts';
import type { BackendHost } from '../backend.ts';
import { CodexEvents, type Notification } from '../codex-events/codex-events.ts';
import { OneTurn } from '../codex-events/one-turn.ts';
import { CodexProcess, type CodexProgram } from '../codex-process/codex-process.ts';
import type { CodexConnection, CodexRequest } from '../codex-process/connection.ts';
import { BoundedEvents, shortenedText } from './bounded.ts';
import { oneShotError, type Stage, thrownError, tooLate } from './one-shot-failure.ts';

export type OneShotOptions = {
  codex: CodexProgram;
  /** What `thread/start` is to say of what Codex may do. Throws `Failure` where it is not to be started. */
  held(): object;
  model: string | null;
  effort: string | null;
  /** From its start to its answer. */
  timeoutMs: number;
  /** Between the steps of its end. */
  graceMs: number;
  host: Pick<BackendHost, 'emit' | 'used' | 'fault'>;
};

/** Where the whole output of a command is kept that shows only the ends of it. */
export type KeepOutput = (itemId: string, text: string) => void;

const threadReply = z.object({
  thread: z.object({ id: z.string() }),
  model: z.string().nullish().catch(undefined),
});
const turnReply = z.object({ turn: z.object({ id: z.string() }) });

/** Nobody is there to be asked; what is not here is refused as unknown. */
const DECLINED: Readonly<Record<string, object>> = {
  'item/commandExecution/requestApproval': { decision: 'decline' },
  'item/fileChange/requestApproval': { decision: 'decline' },
  'item/permissions/requestApproval': { permissions: {}, scope: 'turn' },
  'mcpServer/elicitation/request': { action: 'decline', content: null },
};

const THREAD_TRIES = 3;
const THREAD_PAUSE_MS = 200;

/** The reason where its time is over. */
class Late extends Error {}

export class OneShotRun {
  #stage: Stage = 'start';
  #process: CodexProcess | null = null;
  #thread: { id: string; turn: OneTurn } | null = null;
  #model: string;
  readonly #events: CodexEvents;
  /** Resolves once Codex has ended the turn; rejects with why it has gone. */
  readonly #ended = deferred<void>();
  readonly #late = new AbortController();
  readonly #signal: AbortSignal;

  constructor(
    private readonly options: OneShotOptions,
    turnId: string,
    private readonly stop: AbortSignal,
    keepOutput: KeepOutput,
  ) {
    this.#signal = AbortSignal.any([stop, this.#late.signal]);
    this.#model = options.model ?? '';
    this.#ended.promise.catch(() => undefined); // it may end before anybody waits for that
    const bounded = new BoundedEvents();
    this.#events = new CodexEvents(turnId, {
      emit: (event) => {
        const told = bounded.take(event);
        if (told) options.host.emit(told);
      },
      used: (usage) => options.host.used(usage, this.#model),
      said: () => undefined,
      output: keepOutput,
      now: () => new Date().toISOString(),
    });
  }

  /** Resolves once nothing of it runs any more. */
  async outcome(task: string): Promise<TurnOutcome> {
    const timer = setTimeout(() => this.#late.abort(new Late()), this.options.timeoutMs);
    let outcome: TurnOutcome;
    try {
      await this.#begin(task);
      await unlessAborted(this.#ended.promise, this.#signal);
      outcome = this.#result();
    } catch (error) {
      outcome = this.stop.aborted
        ? { status: 'interrupted' }
        : { status: 'failed', error: this.#failed(error) };
    } finally {
      clearTimeout(timer);
    }
    await this.#end();
    return outcome;
  }

  async #begin(task: string): Promise<void> {
    const { codex, held, model, effort, graceMs, host } = this.options;
    const settings = { ...held(), ephemeral: true, ...(model ? { model } : {}) };
    const stop = { signal: this.#signal, graceMs };
    this.#signal.throwIfAborted();
    const process = await CodexProcess.start(codex, this.#listener(), stop);
    this.#process = process;
    this.#stage = 'thread';
    const begun = threadReply.parse(await this.#startThread(process, settings));
    const { id } = begun.thread;
    this.#thread = { id, turn: new OneTurn(id) };
    this.#model = begun.model ?? this.#model;
    if (this.#model) host.emit({ type: 'session.updated', patch: { model: this.#model } });
    this.#stage = 'turn';
    const input = [{ type: 'text', text: task, text_elements: [] }];
    const asked = { threadId: id, input, clientUserMessageId: uuid(), ...(effort ? { effort } : {}) };
    turnReply.parse(await unlessAborted(process.call('turn/start', asked), this.#signal));
  }

  /** Codex refuses where another one has just made, or taken away, what both keep from being made. */
  async #startThread(process: CodexProcess, settings: object): Promise<unknown> {
    for (let tries = 1; ; tries++) {
      try {
        return await unlessAborted(process.call('thread/start', settings), this.#signal);
      } catch (error) {
        const refused = error instanceof Failure && error.code === 'codex.request';
        if (!refused || tries === THREAD_TRIES) throw error;
        await unlessAborted(delay(THREAD_PAUSE_MS), this.#signal);
      }
    }
  }

  #listener() {
    return {
      notified: (notification: Notification) => {
        try {
          this.#notified(notification);
        } catch (error) {
          this.options.host.fault('take what Codex tells', error);
        }
      },
      asked: (request: CodexRequest, connection: CodexConnection) => {
        const declined = Object.hasOwn(DECLINED, request.method) ? DECLINED[request.method] : undefined;
        if (declined) connection.answer(request, declined);
        else connection.refuse(request, 'nobody is there to be asked');
      },
      ended: (why: Error) => this.#ended.reject(why),
    };
  }

  #notified(notification: Notification): void {
    const turn = this.#thread?.turn;
    // the end of a command may come after that of the turn
    const shown = turn?.take(notification);
    if (shown) this.#events.take(shown);
    if (turn?.end) this.#ended.resolve();
  }

  #result(): TurnOutcome {
    const turn = this.#thread?.turn;
    const failed = (error: TurnError): TurnOutcome => ({ status: 'failed', error });
    if (turn?.end?.status === 'failed') return failed(oneShotError(turn.end.failure, this.#stage));
    this.#stage = 'result';
    // nobody here has stopped it
    if (turn?.end?.status !== 'completed') return failed(oneShotError({ failureClass: 'unknown' }, 'turn'));
    if (turn.answer === null) return failed(oneShotError({ failureClass: 'invalid-result' }, 'result'));
    return { status: 'completed', lastMessage: shortenedText(turn.answer) };
  }

  #failed(error: unknown): TurnError {
    const trouble = this.#thread?.turn.trouble ?? { retrying: false, httpStatus: undefined };
    if (error instanceof Late) return tooLate(this.options.timeoutMs, this.#stage, trouble);
    // what it answers is not what was agreed
    if (error instanceof z.ZodError) return oneShotError({ failureClass: 'invalid-result' }, this.#stage);
    const told = thrownError(error, this.#stage);
    if (told.code === 'codex-agent.unknown') this.options.host.fault('run Codex for one task', error);
    return told;
  }

  /** By steps: the turn, then the process, then all that is left of it. */
  async #end(): Promise<void> {
    const process = this.#process;
    const { graceMs } = this.options;
    const thread = this.#thread;
    const turnId = thread?.turn.id ?? null;
    if (process && thread && turnId !== null && !thread.turn.end && !process.isGone) {
      const threadId = thread.id;
      const interrupted = process.call('turn/interrupt', { threadId, turnId });
      interrupted.catch(() => undefined); // it has just ended, or has gone
      await unlessAborted(this.#ended.promise, AbortSignal.timeout(graceMs)).catch(() => undefined);
    }
    await process?.end(graceMs);
    this.#events.end(false);
  }
}
