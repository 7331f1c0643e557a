/**
 * A session's turns: which starts next, how one runs to its end, and when nothing starts by itself. One turn runs
 * at a time.
 */
import type { EventBody, SessionStatus, Usage } from '@tscodex/shared/events';
import type { Input } from '@tscodex/shared/inputs';
import type { SessionSummary } from '@tscodex/shared/workspace';
import { v7 as uuid } from 'uuid';
import { TurnInterrupted, type TurnOutcome } from '../agent/turn.ts';
import type { AgentBackend } from '../backends/backend.ts';
import { Failure, messageOf } from '../base/errors.ts';
import type { MessageItem } from '../base/response-items.ts';
import type { RolloutWriter } from '../session/rollout.ts';
import type { Asks } from './asks/asks.ts';
import type { Background } from './background/background.ts';
import { type Wake, wakeMessage, wakeNotices } from './background/wake-texts.ts';
import { nextTurn, steersOf } from './input-queue.ts';
import type { Inputs } from './inputs.ts';
import { notice } from './notice.ts';
import type { SessionStore } from './session-store.ts';

export type OpenTurn = { id: string; startedAt: string };

type RunningTurn = OpenTurn & {
  /** A compaction takes nothing, and shows by itself what becomes of it. */
  work: 'turn' | 'compaction';
  controller: AbortController;
  /**
   * What the turn was started for, until it is handed over; empty for one that only a wake has started, null for one
   * that was begun before a restart.
   */
  first: Input[] | null;
  /** Who stopped it. */
  stoppedBy: string | null;
  requestSent: boolean;
  done: Promise<void>;
};

type Ports = {
  store: Pick<SessionStore, 'update' | 'endTurn'>;
  rollout: Pick<RolloutWriter, 'turnEnded'>;
  inputs: Inputs;
  asks: Asks;
  background: Pick<Background, 'wakes' | 'told'>;
  backend(): AgentBackend;
  /** Of the running turn so far; undefined where no model has told. */
  usage(): Usage | undefined;
  emit(event: EventBody): void;
  /** Whether the agent is closed: the session can be read, and nothing starts in it. */
  isClosed(): boolean;
  /** Whether something may wake the agent later. */
  sleeps(): boolean;
  /** A turn has completed, and the next has not begun. */
  completed(): void;
  /** Whether the conversation has a row for the compaction of this turn: how it ended stands there. */
  showsCompaction(turnId: string): boolean;
  /** The status may have changed. */
  changed(): void;
  fault(what: string, error: unknown): void;
};

/** Why a turn is cut when the session leaves memory: on disk it stays open, and the next load decides. */
class Unloaded extends Error {}

export class Turns {
  #running: RunningTurn | null = null;
  #open: OpenTurn | null;
  #paused: boolean;
  #last: SessionSummary['lastTurn'];
  /** Once set, no turn starts and none is ended on disk. */
  #leaving: 'close' | 'shutdown' | null = null;

  constructor(
    private readonly ports: Ports,
    start: { openTurn: OpenTurn | null; paused: boolean; lastTurn: SessionSummary['lastTurn'] },
  ) {
    this.#open = start.openTurn;
    this.#paused = start.paused;
    this.#last = start.lastTurn;
  }

  get running(): boolean {
    return this.#running !== null;
  }

  /** Whether the running turn is a compaction: no input joins it. */
  get compacting(): boolean {
    return this.#running?.work === 'compaction';
  }

  get paused(): boolean {
    return this.#paused;
  }

  /** How the newest turn that has ended did so. */
  get last(): SessionSummary['lastTurn'] {
    return this.#last;
  }

  status(): SessionStatus {
    if (this.#running?.controller.signal.aborted) return 'stopping';
    if (this.#running) return this.ports.asks.open().length ? 'asking' : 'running';
    if (this.#paused) return 'paused';
    return this.ports.sleeps() ? 'sleeping' : 'idle';
  }

  /**
   * Starts what is next, if anything is and nothing runs: a turn left open by a restart, else what people wait for,
   * else what wakes the agent.
   */
  next(): void {
    if (this.#running || this.#paused || this.#leaving || this.ports.isClosed()) return;
    const open = this.#open;
    this.#open = null;
    const inputs = open ? null : nextTurn(this.ports.inputs.free());
    if (open) this.#run(open, null);
    else if (inputs?.length || this.ports.background.wakes.due())
      this.#run({ id: uuid(), startedAt: new Date().toISOString() }, inputs ?? []);
  }

  /** Sums the conversation up, as a turn of its own. Throws `session.busy`, `compaction.paused`. */
  compact(): void {
    const busy = 'The conversation can be summed up once the running turn has ended; /stop ends it.';
    if (this.#running || this.#leaving) throw new Failure('conflict', 'session.busy', busy);
    const paused = 'A turn of this session waits to be resumed: resume it first.';
    if (this.#open) throw new Failure('conflict', 'compaction.paused', paused);
    this.#run({ id: uuid(), startedAt: new Date().toISOString() }, [], 'compaction');
  }

  interrupt(by: string | null): void {
    const turn = this.#running;
    if (turn && !turn.controller.signal.aborted) turn.stoppedBy = by;
    turn?.controller.abort(new TurnInterrupted());
    this.ports.changed();
  }

  /** Lifts the pause and starts what waits. */
  async unpause(): Promise<void> {
    await this.ports.store.update({ crashes: 0, paused: false });
    this.#paused = false;
    this.ports.changed();
    this.next();
  }

  /** Ends the running turn, for good (`close`) or so that the next load finds it open. Resolves when it has ended. */
  async leave(how: 'close' | 'shutdown'): Promise<void> {
    this.#leaving = how;
    const turn = this.#running;
    if (!turn) return;
    // the load after a polite end must not count it as a crash
    if (how === 'shutdown')
      await this.ports.store
        .update({ crashes: -1 })
        .catch((error) => this.ports.fault('save a shutdown', error));
    turn.controller.abort(how === 'close' ? new TurnInterrupted() : new Unloaded());
    await turn.done;
  }

  /**
   * Hands over what the turn was started for and the steers that wait; see `TurnPorts.takeInputs`. What has woken the
   * agent, or happened while it worked, comes before the first of them. More than `most` go on waiting.
   */
  async takeInputs(most = Number.POSITIVE_INFINITY): Promise<MessageItem[]> {
    const turn = this.#running;
    if (!turn || this.#leaving === 'shutdown') return [];
    const first = turn.first ?? [];
    const steers = steersOf(this.ports.inputs.free());
    const waiting = first[0]?.mode === 'queue' ? [...steers, ...first] : [...first, ...steers];
    const inputs = waiting.slice(0, most);
    this.ports.inputs.release(waiting.slice(inputs.length));
    const starts = turn.first !== null;
    const wakes = starts ? this.ports.background.wakes.pending() : [];
    const taken = inputs.length + wakes.length ? await this.#handOver(turn, inputs, wakes) : [];
    turn.first = null;
    if (taken.length) turn.requestSent = false;
    return taken;
  }

  async #handOver(
    { id, first }: RunningTurn,
    inputs: readonly Input[],
    wakes: readonly Wake[],
  ): Promise<MessageItem[]> {
    const woken = wakes.length ? { message: wakeMessage(wakes), items: wakeNotices(wakes, id) } : null;
    const taken = await this.ports.inputs.handOver(inputs, id, { starts: first !== null, woken });
    this.ports.background.told(wakes, inputs.length === 0);
    return taken;
  }

  /** Saves that a request goes out: after a crash its inputs count as given to the model. */
  async sending(): Promise<void> {
    const turn = this.#running;
    if (!turn || turn.requestSent || this.#leaving) return;
    await this.ports.store.update({ requestSent: true });
    turn.requestSent = true;
  }

  #run(open: OpenTurn, first: Input[] | null, work: RunningTurn['work'] = 'turn'): void {
    const controller = new AbortController();
    const turn = {
      ...{ ...open, work, controller, first, stoppedBy: null },
      ...{ requestSent: false, done: Promise.resolve() },
    };
    this.#running = turn;
    if (first) this.ports.inputs.reserve(first);
    this.ports.emit({ type: 'turn.started', turn: open });
    this.ports.changed();
    turn.done = this.#drive(turn).catch((error) => this.ports.fault('end a turn', error));
  }

  async #drive(turn: RunningTurn): Promise<void> {
    const { store, fault } = this.ports;
    let outcome: TurnOutcome;
    try {
      await store.update({ turnId: turn.id, canContinue: false, lastActivityAt: turn.startedAt });
      const backend = this.ports.backend();
      const run = turn.work === 'turn' ? backend.runTurn : backend.compact;
      outcome = await run.call(backend, turn.id, turn.controller.signal);
    } catch (error) {
      if (!(error instanceof Failure)) fault('run a turn', error);
      const code = error instanceof Failure ? error.code : 'internal';
      outcome = { status: 'failed', error: { code, message: messageOf(error) } };
    }
    if (this.#leaving !== 'shutdown') await this.#end(turn, outcome);
  }

  async #end(turn: RunningTurn, outcome: TurnOutcome): Promise<void> {
    await this.ports.asks.endTurn(turn.id);
    // what a person has stopped before it was taken would start again at once, or with the next load
    const rests = outcome.status === 'interrupted' && Boolean(turn.first?.length) && !this.#leaving;
    this.#tell(turn, outcome, rests);
    this.#last = { id: turn.id, status: outcome.status, at: new Date().toISOString() };
    await this.#save(turn, outcome, rests);
    this.#running = null;
    this.ports.background.wakes.turnEnded();
    const usage = this.ports.usage();
    this.ports.emit({
      type: 'turn.completed',
      turnId: turn.id,
      status: outcome.status,
      ...(outcome.status === 'failed' ? { error: outcome.error } : {}),
      ...(usage ? { usage } : {}),
      durationMs: Date.now() - Date.parse(turn.startedAt),
    });
    if (outcome.status === 'completed' && turn.work === 'turn') this.ports.completed();
    this.ports.changed();
    this.next();
  }

  /** An end that is no answer is told in the conversation, where it stays. */
  #tell({ id: turnId, work, first, stoppedBy: by }: RunningTurn, outcome: TurnOutcome, rests: boolean): void {
    const tell = (item: ReturnType<typeof notice>) => this.ports.emit({ type: 'item.completed', item });
    if (outcome.status === 'interrupted') tell(stopped(turnId, by));
    if (rests) this.#pause(tell);
    if (outcome.status !== 'failed' || (work === 'compaction' && this.ports.showsCompaction(turnId))) return;
    const { code, message, details } = outcome.error;
    tell(notice('error', code, message, { turnId, ...(details ? { details } : {}) }));
    if (!first || work === 'compaction') return;
    // what could not even be taken would fail again for ever; the next load tries once more
    this.#pause(tell);
  }

  #pause(tell: (item: ReturnType<typeof notice>) => void): void {
    this.#paused = true;
    tell(notice('warning', 'session.paused', 'Nothing more is started here until you resume.'));
  }

  async #save(turn: RunningTurn, outcome: TurnOutcome, rests: boolean): Promise<void> {
    const { store, rollout, inputs, fault } = this.ports;
    if (turn.first) inputs.release(turn.first);
    const lastMessage = outcome.status === 'completed' ? (outcome.lastMessage ?? undefined) : undefined;
    const error = outcome.status === 'failed' ? outcome.error : undefined;
    // a turn that took nothing is not in the file
    const recorded = turn.first === null;
    if (recorded)
      await rollout
        .turnEnded(turn.id, { status: outcome.status, lastMessage, error })
        .catch((problem) => fault('record the end of a turn', problem));
    const paused = rests ? { paused: true } : {};
    await store
      .endTurn({ crashes: 0, lastActivityAt: new Date().toISOString(), lastTurn: this.#last, ...paused })
      .catch((problem) => fault('save the end of a turn', problem));
  }
}

function stopped(turnId: string, by: string | null) {
  if (by === null) return notice('info', 'turn.stopped', 'Stopped.', { turnId });
  return notice('info', 'turn.stopped', `Stopped by ${by}.`, { turnId, details: { by } });
}
