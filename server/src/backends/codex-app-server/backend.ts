/** The user's own Codex as the agent: one app-server a session, started when it is needed and kept. */

import type { BackgroundCommand } from '@tscodex/shared/events';
import type { CommandExecution } from '@tscodex/shared/items';
import * as z from 'zod';
import type { TurnOutcome } from '../../agent/turn.ts';
import type { CodexRules } from '../../approvals/codex-rules.ts';
import { Failure, problemOf } from '../../base/errors.ts';
import type { MessageItem } from '../../base/response-items.ts';
import { unlessAborted } from '../../base/unless-aborted.ts';
import type { EnvironmentChange } from '../../exec/login-environment.ts';
import type { ForeignContext } from '../../tools/registry.ts';
import type { Tool } from '../../tools/tool.ts';
import type { AgentBackend, BackendChange, BackendHost } from '../backend.ts';
import { CodexEvents, type Notification } from '../codex-events/codex-events.ts';
import type { CodexInput } from '../codex-process/codex-input.ts';
import type { CodexProcess, CodexProgram } from '../codex-process/codex-process.ts';
import { type CodexConnection, type CodexRequest, replyOf } from '../codex-process/connection.ts';
import type { HeldAs } from '../codex-process/held-as.ts';
import { keptEnvironment } from '../codex-process/kept-environment.ts';
import { answerTo } from './asks.ts';
import { CodexTurn, turnOf } from './codex-turn.ts';
import { startOnThread } from './open-thread.ts';
import { answerToolCall } from './own-tools.ts';
import { messageOf, threadSettings, turnSettings } from './settings.ts';

export type CodexOptions = {
  /** Also of its thread. */
  sessionId: string;
  codex: CodexProgram;
  /** Where the session works and what may be done there, as of now. */
  held(): HeldAs;
  /** Where anything was said when the session was loaded. */
  spoken: boolean;
  model: string | null;
  effort: string | undefined;
  /** For how long Codex may try in vain to reach its provider. */
  reconnectSeconds: number;
  /** For how long it may go on after an interruption; ten seconds where nothing is said. */
  interruptMs?: number;
  /** Makes the session's file where there is none: Codex goes on in it. */
  prepareFile(): Promise<void>;
  /** What the agent is told beside the conversation, as of now, by names. */
  context(): Readonly<Record<string, string>>;
  /** What it has beside its own. */
  tools: readonly Tool<ForeignContext>[];
  /** What may be offered of the rules that it proposes. */
  rules: Pick<CodexRules, 'offer'>;
  host: BackendHost;
};

/** A turn that does not end by then is ended with its process. */
const INTERRUPT_MS = 10_000;

const turnReply = z.object({ turn: z.object({ id: z.string() }) });
const modelReply = z.object({
  data: z.array(z.object({ model: z.string(), hidden: z.boolean().catch(false) })),
});

export class CodexBackend implements AgentBackend {
  #process: Promise<CodexProcess> | null = null;
  #turn: CodexTurn | null = null;
  /** Of the newest turn: commands that outlive it are told of later. */
  #events: CodexEvents | null = null;
  #model: string | null;
  #effort: string | undefined;
  #spoken: boolean;
  readonly #closing = new AbortController();
  readonly #warnings = new Set<string>();
  /** The whole output of the command that has just ended. */
  #output: { itemId: string; text: string } | null = null;

  constructor(private readonly options: CodexOptions) {
    this.#model = options.model;
    this.#effort = options.effort;
    this.#spoken = options.spoken;
  }

  runTurn(turnId: string, signal: AbortSignal): Promise<TurnOutcome> {
    return this.#run(turnId, signal, async (turn) => {
      // Codex knows one message by its id, so they go one by one
      await this.#take(turn);
      await this.options.host.sending();
      this.#steer(turn);
    });
  }

  compact(turnId: string, signal: AbortSignal): Promise<TurnOutcome> {
    return this.#run(
      turnId,
      signal,
      async (turn) => void (await this.#begun(turn, 'thread/compact/start', {})),
    );
  }

  /**
   * Gives messages to the running turn, or begins it with them; `woken` comes before them, and begins it alone where
   * nobody has said anything. Resolves once they are in the session's file.
   */
  async deliver(inputs: readonly CodexInput[], woken: MessageItem | null): Promise<void> {
    const turn = this.#turn;
    if (!turn) throw new Failure('conflict', 'codex.idle', 'Codex has ended the turn; send it again.');
    if (woken) await this.#call('thread/inject_items', { items: [woken] });
    if (woken && inputs.length === 0) {
      turn.hold();
      await this.#startTurn(turn, { input: [] });
    }
    for (const input of inputs) await turn.said(input.id, () => this.#send(turn, input));
    this.#spoken = true;
  }

  hasConversation(): boolean {
    return this.#spoken;
  }

  fork(): null {
    return null;
  }

  async listModels(): Promise<string[]> {
    const process = await this.#ready();
    const listed = replyOf(modelReply, 'model/list', await process.call('model/list', {}));
    return listed.data.filter(({ hidden }) => !hidden).map(({ model }) => model);
  }

  change({ model, effort }: BackendChange): () => void {
    return () => {
      if (model !== undefined) this.#model = model;
      this.#effort = effort;
    };
  }

  background(): BackgroundCommand[] {
    return this.#left().map(({ id, processId = id, command, startedAt }) => ({
      ...{ processId, itemId: id, command, startedAt },
    }));
  }

  async stopCommand(processId: string): Promise<void> {
    const left = this.#left().find((item) => (item.processId ?? item.id) === processId);
    if (!left) throw new Failure('notFound', 'exec.unknown', `No command ${processId} runs here any more.`);
    await this.#call('thread/backgroundTerminals/terminate', { processId });
  }

  async refreshEnvironment(): Promise<EnvironmentChange> {
    throw keptEnvironment();
  }

  output(itemId: string): string | null {
    return this.#output?.itemId === itemId ? this.#output.text : null;
  }

  async close(): Promise<void> {
    // one that starts and never answers would outlive the server
    const message = 'The session was closed; open it again.';
    this.#closing.abort(new Failure('unavailable', 'session.closed', message));
    const process = await this.#process?.catch(() => null);
    await process?.end();
  }

  async #run(
    turnId: string,
    signal: AbortSignal,
    begin: (turn: CodexTurn) => Promise<void>,
  ): Promise<TurnOutcome> {
    const turn = this.#begin(turnId, signal);
    const { host } = this.options;
    const interrupt = () => void this.#interrupt(turn);
    const unlisten = host.onSteer(() => this.#steer(turn));
    try {
      await unlessAborted(this.#ready(), signal);
      if (signal.aborted) return { status: 'interrupted' };
      signal.addEventListener('abort', interrupt, { once: true });
      await begin(turn);
      return await turn.ended.promise;
    } catch (error) {
      if (signal.aborted) return { status: 'interrupted' };
      // it says more than that the message was not taken
      if (turn.events.outcome?.status === 'failed') return turn.events.outcome;
      if (error instanceof Failure) return { status: 'failed', error: problemOf(error) };
      throw error;
    } finally {
      signal.removeEventListener('abort', interrupt);
      unlisten();
      await this.#end(turn);
    }
  }

  #begin(id: string, signal: AbortSignal): CodexTurn {
    const { host } = this.options;
    const events = new CodexEvents(
      id,
      {
        emit: (event) => host.emit(event),
        used: (usage) => host.used(usage, this.#model ?? ''),
        said: (inputId) => this.#turn?.taken(inputId),
        output: (itemId, text) => {
          this.#output = { itemId, text };
        },
        now: () => new Date().toISOString(),
      },
      this.#events?.left,
      this.#warnings,
    );
    this.#events = events;
    this.#turn = new CodexTurn({ id, signal, events, ...this.options });
    return this.#turn;
  }

  async #end(turn: CodexTurn): Promise<void> {
    turn.untaken();
    turn.reconnects.stop();
    // one that has failed here alone would work on, seen by nobody
    if (turn.sent && !turn.events.outcome) await this.#interrupt(turn);
    // one that never began is not waited for
    turn.started.resolve();
    turn.finish({ status: 'interrupted' });
    await turn.steering;
    this.#turn = null;
    const goesOn = turn.events.outcome?.status === 'completed';
    // what a stopped turn has started must not go on
    if (!goesOn && turn.codexId !== null && this.#process)
      await this.#call('thread/backgroundTerminals/clean', {}).catch(() => undefined);
    turn.events.end(goesOn);
    this.#tellBackground();
  }

  /** Hands over one message, if one waits; how many it were. */
  async #take(turn: CodexTurn): Promise<number> {
    try {
      return (await this.options.host.takeInputs(1)).length;
    } finally {
      turn.letGo((notification) => this.#heard(notification));
    }
  }

  /** Hands over the steers that wait, after those before them. */
  #steer(turn: CodexTurn): void {
    turn.steering = turn.steering.then(async () => {
      if (turn.codexId === null || turn.signal.aborted || this.#turn !== turn) return;
      // what could not be handed over waits for the next turn
      try {
        while ((await this.#take(turn)) > 0);
      } catch (error) {
        if (!(error instanceof Failure)) this.options.host.fault('steer Codex', error);
      }
    });
  }

  async #send(turn: CodexTurn, input: CodexInput): Promise<void> {
    const message = messageOf(input);
    if (turn.codexId !== null) {
      await this.#call('turn/steer', { ...message, expectedTurnId: turn.codexId });
      return;
    }
    await this.#startTurn(turn, message);
  }

  async #startTurn(turn: CodexTurn, message: object): Promise<void> {
    const { held, context } = this.options;
    const about = turnSettings(held(), { model: this.#model, effort: this.#effort }, context());
    const reply = await this.#begun(turn, 'turn/start', { ...message, ...about });
    turn.begun(replyOf(turnReply, 'turn/start', reply).turn.id);
  }

  /** A call that makes Codex work, unless it refuses. */
  async #begun(turn: CodexTurn, method: string, params: object): Promise<unknown> {
    const process = await this.#ready();
    turn.sent = true;
    try {
      return await process.call(method, { threadId: this.options.sessionId, ...params });
    } catch (error) {
      if (error instanceof Failure && error.code === 'codex.request') turn.sent = false;
      throw error;
    }
  }

  /** Resolves once Codex has ended the turn, or has gone. */
  #interrupt(turn: CodexTurn): Promise<void> {
    turn.interrupting ??= this.#stop(turn);
    return turn.interrupting;
  }

  async #stop(turn: CodexTurn): Promise<void> {
    const stop = async () => {
      await turn.started.promise;
      if (turn.codexId === null) return;
      const process = await this.#process; // none is started for it
      await process?.call('turn/interrupt', { threadId: this.options.sessionId, turnId: turn.codexId });
    };
    const timer = setTimeout(async () => {
      const process = await this.#process?.catch(() => null);
      await process?.end();
    }, this.options.interruptMs ?? INTERRUPT_MS);
    stop().catch(() => undefined); // one that has just ended, or a process that has gone
    await turn.over.promise;
    clearTimeout(timer);
  }

  async #call(method: string, params: object): Promise<unknown> {
    const process = await this.#ready();
    return process.call(method, { threadId: this.options.sessionId, ...params });
  }

  /** Started, and with the session's thread. */
  #ready(): Promise<CodexProcess> {
    if (this.#closing.signal.aborted) return Promise.reject(this.#closing.signal.reason);
    if (this.#process) return this.#process;
    const starting = this.#start().catch((error) => {
      // not the one that was started since
      if (this.#process === starting) this.#process = null;
      throw error;
    });
    this.#process = starting;
    return starting;
  }

  async #start(): Promise<CodexProcess> {
    const { codex, sessionId, held, prepareFile, host } = this.options;
    await prepareFile();
    const listener = {
      notified: (notification: Notification) => this.#heard(notification),
      asked: (request: CodexRequest, connection: CodexConnection) => void this.#asked(request, connection),
      ended: (why: Failure) => this.#gone(why),
    };
    const settings = threadSettings(held(), this.#model);
    const { signal } = this.#closing;
    const { process, model } = await startOnThread({ codex, sessionId, settings, listener, signal });
    if (model && model !== this.#model) host.emit({ type: 'session.updated', patch: { model } });
    this.#model = model ?? this.#model;
    return process;
  }

  /** Never throws: what one of them breaks is not the end of the others. */
  #heard(notification: Notification): void {
    try {
      this.#notified(notification);
    } catch (error) {
      this.options.host.fault(`take ${notification.method} of Codex`, error);
    }
  }

  #notified(notification: Notification): void {
    const turn = this.#turn;
    if (turn?.holds(notification)) return;
    const { method } = notification;
    if (method === 'turn/started') turn?.begun(turnOf(notification));
    // of another turn than ours
    if (method === 'turn/completed' && (!turn || turn.codexId !== turnOf(notification))) return;
    // told again, of an earlier turn, where a session is taken up
    if (method === 'thread/tokenUsage/updated' && !turn?.has(notification)) return;
    turn?.heard(notification);
    this.#events?.take(notification);
    if (turn?.events.outcome) turn.finish(turn.events.outcome);
    if (!turn && method === 'item/completed') this.#tellBackground();
  }

  async #asked(request: CodexRequest, connection: CodexConnection): Promise<void> {
    const turn = this.#turn;
    const { host, rules } = this.options;
    await turn?.heardAll();
    if (!turn || this.#turn !== turn || turn.isPast(request))
      return connection.refuse(request, 'the turn has ended');
    const { id: turnId, events, signal } = turn;
    const tell = async (words: string) => {
      const input = [{ type: 'text', text: words, text_elements: [] }];
      await this.#call('turn/steer', { input, expectedTurnId: turn.codexId });
    };
    try {
      const answer =
        request.method === 'item/tool/call'
          ? await answerToolCall(request.params, this.options.tools, host)
          : await answerTo(request, { host, rules, turnId, events, signal, tell });
      if (answer) connection.answer(request, answer);
      else connection.refuse(request, 'nobody can answer this here');
    } catch (error) {
      // one that is over asks nothing any more
      if (!signal.aborted && this.#turn === turn) host.fault(`answer ${request.method}`, error);
      connection.refuse(request, 'the turn has ended');
    }
  }

  #gone(why: Failure): void {
    this.#process = null;
    const turn = this.#turn;
    turn?.gone(why);
    if (!turn) this.#events?.end(false);
    if (!this.#closing.signal.aborted) this.#tellBackground();
  }

  #left(): CommandExecution[] {
    if (this.#turn) return [];
    return [...(this.#events?.left.values() ?? [])].filter((item) => item.type === 'commandExecution');
  }

  #tellBackground(): void {
    this.options.host.emit({ type: 'background.updated', commands: this.background() });
  }
}
