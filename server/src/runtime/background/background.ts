/**
 * What goes on beside a session's turns: commands that outlived theirs, the clock, TURN_HOOK.md. What of it wakes the
 * agent when it is idle, and who has ended what.
 */
import type { BackgroundCommand, Clock, EventBody, TurnStatus } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import type { AgentBackend, Fork } from '../../backends/backend.ts';
import { notice } from '../notice.ts';
import type { SessionStore } from '../session-store.ts';
import { TURN_HOOK_ID, TurnHook } from './turn-hook.ts';
import { WakeClock } from './wake-clock.ts';
import { Wakes } from './wakes.ts';

type Ports = {
  store: Pick<SessionStore, 'update'>;
  backend(): Pick<AgentBackend, 'background' | 'stopCommand' | 'fork'>;
  items(): readonly Item[];
  /** Of the session's workspace; null while it is broken or gone. */
  workspaceDir(): string | null;
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

  constructor(
    private readonly ports: Ports,
    clock: Clock | null,
  ) {
    const { store, emit, fault, workspaceDir } = ports;
    this.wakes = new Wakes(ports.wake);
    const ring = (periodMinutes: number) => this.wakes.clockRang(periodMinutes);
    this.#clock = new WakeClock({ store, emit, ring, fault }, clock);
    this.#turnHook = new TurnHook({
      ...{ workspaceDir, emit, fault },
      fork: (): Fork => ports.backend().fork(),
      changed: () => emit({ type: 'background.updated', commands: ports.backend().background() }),
    });
  }

  get hasClock(): boolean {
    return this.#clock.isSet;
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
  }

  /** The session has been started: from now on its clock runs. */
  start(): void {
    this.#started = true;
  }

  /** The clock runs while the agent is idle. */
  windClock(idle: boolean): void {
    if (!idle) this.#clock.halt();
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
    this.wakes.leave();
    this.#clock.leave();
    await this.#turnHook.leave();
  }
}

function isRunning(item: Item, processId: string): boolean {
  return item.type === 'commandExecution' && item.status === 'inProgress' && item.processId === processId;
}
