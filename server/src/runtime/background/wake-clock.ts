/**
 * The clock of a session: it rings when the agent has been idle for a period, counted from the end of its last turn.
 * Saved, so that it goes on after a restart; one whose time came meanwhile rings at once, and so does one that has
 * rung without the agent being told.
 */
import type { Clock, EventBody, TurnStatus } from '@tscodex/shared/events';
import type { SessionStore } from '../session-store.ts';

type Ports = {
  store: Pick<SessionStore, 'update'>;
  emit(event: EventBody): void;
  ring(periodMinutes: number): void;
  fault(what: string, error: unknown): void;
};

const MINUTE_MS = 60_000;
/** Minutes. Where one turn after the other fails, the pauses double up to this. */
const LONGEST_PAUSE = 60;

export class WakeClock {
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  /** And the agent has not been told yet. */
  #rang = false;

  constructor(
    private readonly ports: Ports,
    private clock: Clock | null,
  ) {}

  get isSet(): boolean {
    return this.clock !== null;
  }

  /** Minutes; null ends it. Resolves once saved. It runs from the next `arm` on. */
  async set(periodMinutes: number | null): Promise<void> {
    const clock = periodMinutes === null ? null : { periodMinutes, nextAt: null };
    await this.ports.store.update({ clock });
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#failures = 0;
    this.#rang = false;
    if (clock || this.clock) this.#show(clock);
  }

  /** The agent is idle. */
  arm(): void {
    if (!this.clock || this.#timer) return;
    const { periodMinutes, nextAt } = this.clock;
    const pause = Math.min(periodMinutes * 2 ** this.#failures, Math.max(periodMinutes, LONGEST_PAUSE));
    const due = nextAt ?? new Date(Date.now() + pause * MINUTE_MS).toISOString();
    this.#timer = setTimeout(() => this.#ring(), Math.max(0, Date.parse(due) - Date.now())).unref();
    if (nextAt === null) this.#keep({ periodMinutes, nextAt: due });
  }

  /** A turn runs, or nothing may start. */
  halt(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#rang) this.#forgetNext();
  }

  /** That it has rung is part of the conversation. */
  told(): void {
    this.#rang = false;
    this.#forgetNext();
  }

  turnEnded(status: TurnStatus): void {
    this.#failures = status === 'failed' ? this.#failures + 1 : 0;
  }

  /** Leaves memory: what is saved stays. */
  leave(): void {
    clearTimeout(this.#timer);
    this.clock = null;
  }

  /** The timer stays set until the turn begins: it rings once. */
  #ring(): void {
    if (!this.clock) return;
    this.#rang = true;
    this.ports.ring(this.clock.periodMinutes);
  }

  #forgetNext(): void {
    if (this.clock?.nextAt) this.#keep({ ...this.clock, nextAt: null });
  }

  #keep(clock: Clock): void {
    this.#show(clock);
    this.ports.store.update({ clock }).catch((error) => this.ports.fault('save the clock', error));
  }

  #show(clock: Clock | null): void {
    this.clock = clock;
    this.ports.emit({ type: 'background.updated', clock });
  }
}
