/**
 * What wakes an idle agent: the end of a command that it left running, its clock. What happens while it works waits
 * for the next turn, whoever starts that; none is lost, and none told twice. Kept in memory alone: a restart ends
 * the commands anyway.
 */
import type { TurnStatus } from '@tscodex/shared/events';
import type { BackgroundEnd } from '../../exec/running-process.ts';
import type { Wake } from './wake-texts.ts';

/** Ends that are kept; of a crowd the model is told the number and the newest. */
const MOST_PENDING = 500;

/**
 * A command that ends at once, started anew by each turn that its end starts, would go round without an end: each
 * such turn in a row waits this much longer than the one before, a minute at the most.
 */
const STEP_MS = 1000;
const LONGEST_MS = 60_000;

export class Wakes {
  #pending: Wake[] = [];
  /** What waits was there when a person stopped the turn: it starts none by itself. */
  #held = false;
  /** Turns in a row that an ended command has started. */
  #inRow = 0;
  #readyAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #left = false;

  /** `wake`: a turn may be due. */
  constructor(private readonly wake: () => void) {}

  commandEnded(end: BackgroundEnd): void {
    this.#add({ kind: 'command', end });
  }

  clockRang(periodMinutes: number): void {
    this.#add({ kind: 'clock', periodMinutes, at: new Date() });
  }

  /** What the next turn is to be told. An end that the agent has read itself is no news. */
  pending(): Wake[] {
    this.#pending = this.#pending.filter((wake) => wake.kind !== 'command' || !wake.end.read);
    return [...this.#pending];
  }

  /** Whether a turn is to start for it now. Where it is to wait, `wake` is called when it has. */
  due(): boolean {
    clearTimeout(this.#timer);
    const pending = this.pending();
    if (pending.length === 0 || this.#held || this.#left) return false;
    const wait = this.#readyAt - Date.now();
    if (wait <= 0 || pending.some(({ kind }) => kind === 'clock')) return true;
    this.#timer = setTimeout(this.wake, wait).unref();
    return false;
  }

  /** These are part of the conversation now; `alone`: no person has said anything with them. */
  delivered(wakes: readonly Wake[], alone: boolean): void {
    this.#pending = this.#pending.filter((wake) => !wakes.includes(wake));
    if (!alone) this.#inRow = 0;
    else if (wakes.some(({ kind }) => kind === 'command')) this.#inRow++;
  }

  turnEnded(status: TurnStatus): void {
    this.#readyAt = Date.now() + Math.min(Math.max(this.#inRow - 1, 0) * STEP_MS, LONGEST_MS);
    this.#held = status === 'interrupted';
  }

  leave(): void {
    this.#left = true;
    this.#pending = [];
    clearTimeout(this.#timer);
  }

  #add(wake: Wake): void {
    if (this.#left) return;
    this.#pending = [...this.#pending, wake].slice(-MOST_PENDING);
    this.#held = false;
    this.wake();
  }
}
