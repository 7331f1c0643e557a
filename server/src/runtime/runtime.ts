/**
 * The one stateful owner of a session: it decides what runs next, drives turns to their end and keeps what others
 * see in step with what is on disk. Queues, asks, events and files have their own homes; this is where they meet.
 */
import continueText from '@tscodex/prompts/continue.md';
import type { AskAnswer } from '@tscodex/shared/asks';
import type { EventBody, SessionStatus, TurnError, Usage } from '@tscodex/shared/events';
import type { Input, InputPatch, NewInput } from '@tscodex/shared/inputs';
import type { Notice } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import type { ItemPage, SessionChange, SessionSnapshot, SessionSummary } from '@tscodex/shared/workspace';
import { v7 as uuid } from 'uuid';
import { TurnInterrupted, type TurnOutcome } from '../agent/turn.ts';
import type { Policy } from '../approvals/decide.ts';
import type { AgentBackend, BackendHost } from '../backends/backend.ts';
import { Failure, messageOf } from '../base/errors.ts';
import { contextLeft } from '../model/catalog.ts';
import type { RolloutWriter } from '../session/rollout.ts';
import { readItemsBefore } from '../session/rollout-reader.ts';
import { Asks } from './asks.ts';
import { runCommand } from './commands.ts';
import { EventLog } from './event-log.ts';
import { interpret, nextTurn, steersOf } from './input-queue.ts';
import { Inputs } from './inputs.ts';
import type { Outputs } from './outputs.ts';
import type { Session, Viewer } from './session-directory.ts';
import type { SessionStore } from './session-store.ts';

export type RuntimeOptions = {
  /** The state as it was loaded. */
  state: SessionState;
  lastActivityAt: string;
  store: SessionStore;
  rollout: RolloutWriter;
  outputs: Outputs;
  policy: Pick<Policy, 'approval' | 'sandbox' | 'confined'>;
  /** Ids of all inputs accepted in the session's life. */
  knownInputs: Set<string>;
  backend(host: BackendHost): AgentBackend;
  /** A turn to go on with; see `planRestart`. */
  openTurn: { id: string; startedAt: string } | null;
  paused: boolean;
  /** Commands that were accepted and not run. */
  commands: Input[];
  onChange(): void;
  fault(what: string, error: unknown): void;
};

type RunningTurn = {
  id: string;
  controller: AbortController;
  startedAt: string;
  /** What the turn was started for, until it is handed over. */
  first: Input[] | null;
  requestSent: boolean;
  done: Promise<void>;
};

/** Why a turn's signal is aborted when the session leaves memory: what it waits for stays as it is on disk. */
class Unloaded extends Error {}

const TITLE_LENGTH = 48;

export class SessionRuntime implements Session {
  readonly id: string;
  readonly workspaceId: string;
  readonly #log: EventLog;
  readonly #inputs: Inputs;
  readonly #asks: Asks;
  readonly #backend: AgentBackend;
  readonly #steerListeners = new Set<() => void>();
  #turn: RunningTurn | null = null;
  #openTurn: RuntimeOptions['openTurn'];
  #paused: boolean;
  #leaving = false;
  #unloaded = false;
  #lastActivityAt: string;
  #commands: Promise<void> = Promise.resolve();

  constructor(private readonly options: RuntimeOptions) {
    const { state, store, rollout, knownInputs, fault } = options;
    this.id = state.id;
    this.workspaceId = state.workspaceId;
    this.#log = new EventLog(state);
    this.#asks = new Asks(state.id, store, this.#emit);
    const waiting = () => this.#log.state.waiting;
    this.#inputs = new Inputs({ store, rollout, emit: this.#emit, waiting, fault }, knownInputs);
    this.#openTurn = options.openTurn;
    this.#paused = options.paused;
    this.#lastActivityAt = options.lastActivityAt;
    this.#backend = options.backend(this.#host());
    this.#showStatus();
  }

  /** Goes on where the session was left: the open turn first, else what waits. */
  start(): void {
    for (const input of this.options.commands) {
      const meaning = interpret(input.text, 'steer', false);
      if (meaning.kind === 'command') this.#enqueueCommand(input, meaning);
    }
    this.#next();
  }

  summary(): SessionSummary {
    const { id, title, status, asks, model, createdAt } = this.#log.state;
    return { id, title, status, asks: asks.length, model, createdAt, lastActivityAt: this.#lastActivityAt };
  }

  snapshot(): SessionSnapshot {
    return this.#log.snapshot();
  }

  subscribe(viewer: Viewer, from?: { epoch: string; after: number }): () => void {
    return this.#log.subscribe(viewer, from);
  }

  async submit(added: NewInput, author: string | null): Promise<{ inputId: string; duplicate: boolean }> {
    this.#assertLoaded();
    const accepted = await this.#inputs.accept(added, author);
    if (!accepted) return { inputId: added.id, duplicate: true };
    this.#lastActivityAt = new Date().toISOString();
    if (accepted.meaning.kind === 'command') this.#enqueueCommand(accepted.input, accepted.meaning);
    else this.#inputArrived(accepted.input);
    return { inputId: added.id, duplicate: false };
  }

  changeInput(id: string, patch: InputPatch): Promise<void> {
    return this.#inputs.change(id, patch);
  }

  withdrawInput(id: string): Promise<void> {
    return this.#inputs.withdraw(id);
  }

  async interrupt(): Promise<void> {
    this.#turn?.controller.abort(new TurnInterrupted());
    this.#showStatus();
  }

  async resume(): Promise<void> {
    if (this.#paused) {
      this.#paused = false;
      await this.options.store.update({ crashes: 0 });
      this.#showStatus();
      this.#next();
    } else if (this.#log.state.canContinue && !this.#turn) {
      await this.submit({ id: uuid(), text: continueText.trim(), mode: 'steer', literal: true }, null);
    } else throw new Failure('conflict', 'session.nothing-to-resume', 'There is nothing to continue here.');
  }

  answer(askId: string, answer: AskAnswer, by: string | null): Promise<void> {
    return this.#asks.answer(askId, answer, by);
  }

  stopCommand(processId: string): Promise<void> {
    return this.#backend.stopCommand(processId);
  }

  async change({ title, model, effort }: SessionChange): Promise<void> {
    if ((model !== undefined || effort !== undefined) && this.#turn)
      throw new Failure(
        'conflict',
        'session.busy',
        'The model can be changed once the running turn has ended; /stop ends it.',
      );
    const patch = {
      ...(title === undefined ? {} : { title: title.trim() || null }),
      ...(model === undefined ? {} : { model }),
      ...(effort === undefined ? {} : { effort }),
    };
    if (!Object.keys(patch).length) return;
    await this.options.store.update(patch);
    this.#backend.change({ ...(model === undefined ? {} : { model }), ...(effort ? { effort } : {}) });
    this.#emit({ type: 'session.updated', patch });
  }

  async items(before: string, limit: number): Promise<ItemPage> {
    await this.options.rollout.flush();
    const page = await readItemsBefore(this.options.rollout.path, before, limit);
    if (!page) throw new Failure('notFound', 'item.unknown', `This session has no item ${before}.`);
    return page;
  }

  async output(itemId: string): Promise<string> {
    const held = this.#backend.output(itemId) ?? (await this.options.outputs.read(itemId));
    if (held !== null) return held;
    const item = this.#log.state.items.find((candidate) => candidate.id === itemId);
    if (item?.type === 'commandExecution') return item.output;
    throw new Failure('notFound', 'item.no-output', `No output is kept for item ${itemId}.`);
  }

  /**
   * Leaves memory: what runs is ended, what waits for people stays as it is and goes on at the next load. `close`
   * also takes the session from the list; its file stays.
   */
  async unload(how: 'close' | 'shutdown'): Promise<void> {
    const turn = this.#turn;
    this.#leaving = true;
    if (how === 'close') turn?.controller.abort(new TurnInterrupted());
    else this.#unloaded = true;
    // a polite end is no crash
    if (how === 'shutdown' && turn) await this.options.store.update({ crashes: -1 }).catch(() => undefined);
    turn?.controller.abort(new Unloaded());
    await turn?.done;
    this.#unloaded = true;
    await this.#commands;
    await this.#backend.close();
    if (how === 'close') await this.options.store.close();
    await this.options.rollout.close();
    this.#log.end(how === 'close' ? 'closed' : 'unloaded');
  }

  #host(): BackendHost {
    const { store, rollout, policy, fault } = this.options;
    return {
      emit: this.#emit,
      record: async (items) => {
        if (!this.#unloaded) await rollout.recordItems(items);
      },
      takeInputs: () => this.#takeInputs(),
      sending: async () => {
        if (!this.#turn || this.#turn.requestSent) return;
        await store.update({ requestSent: true });
        this.#turn.requestSent = true;
      },
      used: (usage, window) => this.#used(usage, window),
      asking: (call) => this.#asks.asking(call),
      begin: (turnId, callId) => store.startCall(turnId, callId),
      policy: () => ({ ...policy, granted: (key) => this.#asks.granted(key) }),
      steerWaiting: () => steersOf(this.#inputs.free()).length > 0,
      onSteer: (listener) => {
        this.#steerListeners.add(listener);
        return () => this.#steerListeners.delete(listener);
      },
      fault,
    };
  }

  /** An arrow, because it travels: everybody below tells what happens through it. */
  #emit = (event: EventBody): void => {
    if (this.#unloaded) return;
    this.#log.emit(event);
    if (event.type === 'item.completed' && event.item.type !== 'userMessage') this.#save(event);
    // a command that outlives its turn must not vanish with a crash
    if (event.type === 'item.updated' && event.item.type === 'commandExecution') this.#save(event);
    if (event.type === 'ask.opened' || event.type === 'ask.closed') this.#showStatus();
  };

  #save({ item }: Extract<EventBody, { type: 'item.completed' | 'item.updated' }>): void {
    const { rollout, outputs, fault } = this.options;
    rollout.recordItem(item as Parameters<typeof rollout.recordItem>[0]).catch((error) => {
      fault('record an item', error);
    });
    const whole = item.type === 'commandExecution' && item.truncated ? this.#backend.output(item.id) : null;
    if (whole !== null) outputs.save(item.id, whole).catch((error) => fault('save an output', error));
  }

  #inputArrived(input: Input): void {
    if (this.#paused) void this.resume().catch((error) => this.options.fault('resume', error));
    if (input.mode === 'steer') for (const listener of this.#steerListeners) listener();
    this.#next();
    this.options.onChange();
  }

  #next(): void {
    if (this.#turn || this.#paused || this.#leaving) return;
    const open = this.#openTurn;
    this.#openTurn = null;
    if (open) this.#run(open.id, open.startedAt, null);
    else {
      const inputs = nextTurn(this.#inputs.free());
      if (inputs.length) this.#run(uuid(), new Date().toISOString(), inputs);
    }
  }

  /** `first` null: the turn was begun before a restart, its inputs are in the conversation. */
  #run(id: string, startedAt: string, first: Input[] | null): void {
    const controller = new AbortController();
    const turn = { id, controller, startedAt, first, requestSent: false, done: Promise.resolve() };
    this.#turn = turn;
    if (first) this.#inputs.reserve(first);
    this.#emit({ type: 'turn.started', turn: { id, startedAt } });
    this.#showStatus();
    turn.done = this.#drive(turn, first !== null).catch((error) => this.options.fault('end a turn', error));
  }

  async #drive(turn: RunningTurn, isNew: boolean): Promise<void> {
    const { store, rollout, fault } = this.options;
    let outcome: TurnOutcome;
    try {
      await store.update({ turnId: turn.id, canContinue: false, lastActivityAt: turn.startedAt });
      if (isNew) await rollout.turnStarted(turn.id);
      outcome = await this.#backend.runTurn(turn.id, turn.controller.signal);
    } catch (error) {
      if (!(error instanceof Failure)) fault('run a turn', error);
      const code = error instanceof Failure ? error.code : 'internal';
      outcome = { status: 'failed', error: { code, message: messageOf(error) } };
    }
    if (!this.#unloaded) await this.#endTurn(turn, outcome);
  }

  async #endTurn(turn: RunningTurn, outcome: TurnOutcome): Promise<void> {
    const { store, rollout, fault } = this.options;
    const error = outcome.status === 'failed' ? outcome.error : undefined;
    const lastMessage = outcome.status === 'completed' ? (outcome.lastMessage ?? undefined) : undefined;
    await this.#asks.withdraw(turn.id).catch((problem) => fault('withdraw asks', problem));
    if (error) this.#notice('error', error.code, error.message, turn.id, error.details);
    if (outcome.status === 'interrupted') this.#notice('info', 'turn.stopped', 'Stopped.', turn.id);
    await rollout
      .turnEnded(turn.id, { status: outcome.status, lastMessage, error })
      .catch((problem) => fault('record the end of a turn', problem));
    this.#lastActivityAt = new Date().toISOString();
    const usage = this.#log.state.usage;
    await store
      .endTurn({ crashes: 0, lastActivityAt: this.#lastActivityAt, ...(usage ? { usage } : {}) })
      .catch((problem) => fault('save the end of a turn', problem));
    // what could not even be taken would fail for ever
    if (turn.first) this.#inputs.release(turn.first);
    if (turn.first && error) this.#pause(error);
    this.#turn = null;
    this.#emit({
      type: 'turn.completed',
      turnId: turn.id,
      status: outcome.status,
      ...(error ? { error } : {}),
      ...(usage ? { usage: usage.last } : {}),
      durationMs: Date.now() - Date.parse(turn.startedAt),
    });
    this.#showStatus();
    this.#next();
  }

  #pause(error: TurnError): void {
    this.#paused = true;
    this.#notice('warning', 'session.paused', `Nothing more is started until you resume: ${error.message}`);
  }

  async #takeInputs() {
    const turn = this.#turn;
    if (!turn || this.#unloaded) return [];
    const first = turn.first ?? [];
    const steers = steersOf(this.#inputs.free());
    const inputs = first[0]?.mode === 'queue' ? [...steers, ...first] : [...first, ...steers];
    const taken = inputs.length ? await this.#inputs.handOver(inputs, turn.id) : [];
    turn.first = null;
    if (taken.length) turn.requestSent = false;
    if (this.#log.state.title === null && inputs[0]) await this.#setTitle(titleFrom(inputs[0].text));
    return taken;
  }

  #used(last: Usage, contextWindow: number | undefined): void {
    const before = this.#log.state.usage?.total;
    const total = before ? sum(before, last) : last;
    const left =
      contextWindow === undefined
        ? {}
        : { contextWindow, contextLeft: contextLeft(last.totalTokens, contextWindow) };
    this.#emit({ type: 'usage.updated', last, total, ...left });
  }

  #enqueueCommand(input: Input, { name, argument }: { name: string; argument: string }): void {
    this.#commands = this.#commands
      .then(() => this.#runCommand(input, name, argument))
      .catch((error) => this.options.fault(`command /${name}`, error));
  }

  async #runCommand(input: Input, name: string, argument: string): Promise<void> {
    await this.#inputs.showCommand(input);
    try {
      const text = await runCommand(name, argument, {
        state: () => this.#log.state,
        interrupt: () => this.interrupt(),
        setTitle: (title) => this.#setTitle(title.slice(0, 200)),
        setModel: (model) => this.change({ model }),
        listModels: () => this.#backend.listModels(AbortSignal.timeout(15_000)),
      });
      if (text !== null) this.#notice('info', `command.${name}`, text);
    } catch (error) {
      const code = error instanceof Failure ? error.code : 'internal';
      if (!(error instanceof Failure)) this.options.fault(`command /${name}`, error);
      this.#notice('error', code, messageOf(error), null, { text: input.text });
    }
    await this.options.store.endInput(input.id, 'done');
  }

  async #setTitle(title: string): Promise<void> {
    await this.options.store.update({ title });
    this.#emit({ type: 'session.updated', patch: { title } });
    this.options.onChange();
  }

  #notice(
    level: Notice['level'],
    code: string,
    text: string,
    turnId: string | null = null,
    details?: Record<string, unknown>,
  ): void {
    const at = new Date().toISOString();
    const item: Notice = {
      ...{ id: uuid(), type: 'notice', turnId, status: 'completed', startedAt: at, completedAt: at },
      ...{ level, code, text },
      ...(details ? { details } : {}),
    };
    this.#emit({ type: 'item.completed', item });
  }

  #showStatus(): void {
    const status = this.#status();
    if (status === this.#log.state.status) return;
    this.#emit({ type: 'session.updated', patch: { status } });
    this.options.onChange();
  }

  #status(): SessionStatus {
    if (this.#turn?.controller.signal.aborted) return 'stopping';
    if (this.#turn) return this.#asks.open().length ? 'asking' : 'running';
    return this.#paused ? 'paused' : 'idle';
  }

  #assertLoaded(): void {
    if (this.#leaving)
      throw new Failure('unavailable', 'session.closed', 'The session was closed; open it again.');
  }
}

function titleFrom(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > TITLE_LENGTH ? `${line.slice(0, TITLE_LENGTH - 1)}…` : line;
}

function sum(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningTokens: a.reasoningTokens + b.reasoningTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}
