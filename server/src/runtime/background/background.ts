/**
 * What goes on beside a session's turns: commands that outlived theirs, the clock, TURN_HOOK.md. What of it wakes the
 * agent when it is idle, and who has ended what.
 */
import type { BackgroundCommand, Clock, EventBody, TurnStatus } from '@tscodex/shared/events';
import type { Item, Notice } from '@tscodex/shared/items';
import type { AgentBackend, Fork } from '../../backends/backend.ts';
import type { MayRead } from '../../base/file-at-path.ts';
import { notice } from '../notice.ts';
import type { SessionStore } from '../session-store.ts';
import type { AgentEnd } from '../sub-agents/agent-end.ts';
import { type SavedWakes, savedEnds } from './saved-wakes.ts';
import { TURN_HOOK_ID, TurnHook } from './turn-hook.ts';
import { WakeClock } from './wake-clock.ts';
import type { Wake } from './wake-texts.ts';
import { type KeptWakes, MOST_IN_ROW, Wakes } from './wakes.ts';

type Ports = {
  store: Pick<SessionStore, 'update'>;
  backend(): Pick<AgentBackend, 'background' | 'stopCommand' | 'fork'>;
  items(): readonly Item[];
  /** Of the session's workspace; null while it is broken or gone. */
  workspaceDir(): string | null;
  /** What the session's commands may read, as of now. */
  reads(): MayRead;
  /** Whether an agent works that this one has started. */
  agentsWork(): boolean;
  /** The end of one of them was told. */
  agentTold(end: AgentEnd): void;
  emit(event: EventBody): void;
  /** A turn may be due. */
  wake(): void;
  fault(what: string, error: unknown): void;
};

export class Background {
  readonly wakes: Wakes;
  readonly #clock: WakeClock;
  readonly #turnHook: TurnHook;
  /** Commands that are being ended, by their items. */
  readonly #endedBy = new Map<string, string | null>();
  #started = false;
  #left = false;
  #saving = false;
  #saved: string;

  constructor(
    private readonly ports: Ports,
    { clock, wakes }: { clock: Clock | null; wakes: KeptWakes },
  ) {
    const { store, emit, fault, workspaceDir } = ports;
    this.#saved = JSON.stringify(wakes.saved);
    this.wakes = new Wakes({ wake: ports.wake, changed: () => this.save() }, wakes);
    const ring = (periodMinutes: number) => this.wakes.clockRang(periodMinutes);
    this.#clock = new WakeClock({ store, emit, ring, fault }, clock);
    this.#turnHook = new TurnHook({
      ...{ workspaceDir, reads: ports.reads, emit, fault },
      fork: (): Fork | null => ports.backend().fork(),
      changed: () => emit({ type: 'background.updated', commands: ports.backend().background() }),
    });
  }

  /** Whether its clock may wake the agent. */
  get hasClock(): boolean {
    return this.#clock.isSet && !this.wakes.held;
  }

  setClock(periodMinutes: number | null): Promise<void> {
    return this.#clock.set(periodMinutes);
  }

  async stopClock(by: string | null): Promise<void> {
    if (!this.#clock.isSet) return;
    await this.#clock.set(null);
    const text = by === null ? 'The clock was stopped.' : `The clock was stopped by ${by}.`;
    const item = notice('info', 'clock.stopped', text, by === null ? {} : { details: { by } });
    this.ports.emit({ type: 'item.completed', item });
  }

  /** A command, or TURN_HOOK.md where that is what the id names. Throws as the backend does. */
  async stop(processId: string, by: string | null): Promise<void> {
    if (processId === TURN_HOOK_ID) return this.stopTurnHook(by);
    const item = this.ports.items().find((one) => isRunning(one, processId));
    if (item) this.#endedBy.set(item.id, by);
    await this.ports
      .backend()
      .stopCommand(processId)
      .catch((error) => {
        if (item) this.#endedBy.delete(item.id);
        throw error;
      });
  }

  stopTurnHook(by: string | null): void {
    this.#turnHook.stop(by);
  }

  turnCompleted(): void {
    this.#turnHook.turnCompleted();
  }

  turnEnded(status: TurnStatus): void {
    this.#clock.turnEnded(status);
    if (this.#left || !this.#hasWakes()) return;
    if (this.wakes.held) this.#showHeld(heldNotice());
    else if (this.wakes.inRow >= MOST_IN_ROW) {
      this.wakes.hold();
      this.#showHeld(exhaustedNotice());
    }
  }

  /** What a turn was told is part of the conversation; `alone`: no person has said anything with it. */
  told(wakes: readonly Wake[], alone: boolean): void {
    const { held } = this.wakes;
    this.wakes.delivered(wakes, alone);
    if (wakes.some(({ kind }) => kind === 'clock')) this.#clock.told();
    for (const wake of wakes) if (wake.kind === 'agent') this.ports.agentTold(wake.end);
    if (held && !this.wakes.held) this.ports.emit({ type: 'background.updated', held: false });
  }

  /** A person has stopped the agent, or does not want it woken: nothing wakes it until somebody writes. */
  hold(isRunning: boolean): void {
    if (!isRunning && !this.#hasWakes()) return;
    this.wakes.hold();
    // what a turn that is being stopped has left running may go with it
    if (!isRunning) this.#showHeld(heldNotice());
  }

  /** Somebody says that it may go on. */
  release(): void {
    this.wakes.release();
    this.ports.emit({ type: 'background.updated', held: false });
  }

  /** Whether anything may wake the agent. */
  #hasWakes(): boolean {
    return (
      this.#clock.isSet ||
      this.wakes.pending().length > 0 ||
      this.ports.backend().background().length > 0 ||
      this.ports.agentsWork()
    );
  }

  #showHeld(item: Notice): void {
    this.ports.emit({ type: 'background.updated', held: true });
    this.ports.emit({ type: 'item.completed', item });
  }

  /** What is to be known after a restart: once what happens now has happened. */
  save(): void {
    if (this.#saving) return;
    this.#saving = true;
    setImmediate(() => {
      this.#saving = false;
      if (!this.#left) this.#save();
    });
  }

  #save(): void {
    const running = this.ports.backend().background();
    const awaited = running.filter(({ itemId }) => !this.#endedBy.has(itemId));
    const { held, inRow } = this.wakes;
    const wakes: SavedWakes = { commands: savedEnds(awaited, this.wakes.ends()), held, inRow };
    const saved = JSON.stringify(wakes);
    if (saved === this.#saved) return;
    this.#saved = saved;
    this.ports.store.update({ wakes }).catch((error) => this.ports.fault('save what wakes the agent', error));
  }

  /** The session has been started: from now on its clock runs. */
  start(): void {
    this.#started = true;
    this.save();
  }

  /** The clock runs while the agent is idle. */
  windClock(idle: boolean): void {
    if (!idle || this.wakes.held) this.#clock.halt();
    else if (this.#started) this.#clock.arm();
  }

  /** With TURN_HOOK.md among them while it runs. */
  listed(commands: readonly BackgroundCommand[]): BackgroundCommand[] {
    const { running } = this.#turnHook;
    return running ? [...commands, running] : [...commands];
  }

  /** Who has ended the command of this item, told once; undefined: nobody. */
  endedBy(item: Pick<Item, 'id' | 'status'>): string | null | undefined {
    const by = item.status === 'interrupted' ? this.#endedBy.get(item.id) : undefined;
    this.#endedBy.delete(item.id);
    return by;
  }

  /** Nothing of it starts a turn any more. Resolves when TURN_HOOK.md has ended; commands are the backend's. */
  async leave(): Promise<void> {
    this.#left = true;
    this.wakes.leave();
    this.#clock.leave();
    await this.#turnHook.leave();
  }
}

function heldNotice(): Notice {
  return notice('info', 'wakes.held', 'Nothing wakes the agent until somebody writes.');
}

function exhaustedNotice(): Notice {
  const text = `The agent was woken ${MOST_IN_ROW} times in a row without a word from anybody: nothing wakes it any more until somebody writes.`;
  return notice('warning', 'wakes.exhausted', text, { details: { count: MOST_IN_ROW } });
}

function isRunning(item: Item, processId: string): boolean {
  return item.type === 'commandExecution' && item.status === 'inProgress' && item.processId === processId;
}
