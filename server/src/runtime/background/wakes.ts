/**
 * What wakes an idle agent: the end of a command that it left running or of an agent that it has started, its clock.
 * What happens while it works waits for the next turn, whoever starts that; none is lost, and none told twice.
 */
import type { BackgroundEnd } from '../../exec/running-process.ts';
import type { AgentEnd } from '../sub-agents/agent-end.ts';
import type { SavedWakes } from './saved-wakes.ts';
import type { Wake } from './wake-texts.ts';

/** Ends that are kept; of a crowd the model is told the number and the newest. */
const MOST_PENDING = 500;

/**
 * What wakes the agent may be what it started when it was woken before, and would go round without an end: each such
 * turn in a row waits twice as long as the one before.
 */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Turns in a row that nobody has asked for: enough for days of an hourly clock. */
export const MOST_IN_ROW = 100;

type Ports = {
  /** A turn may be due. */
  wake(): void;
  /** What is to be saved has changed. */
  changed(): void;
};

/** What a load has found. */
export type KeptWakes = {
  saved: SavedWakes;
  /** Of what was saved, what the agent is still to be told. */
  ends: readonly BackgroundEnd[];
  /** They go along with what comes next, and start no turn by themselves. */
  quiet: boolean;
};

export class Wakes {
  #pending: Wake[];
  /** What waits starts no turn by itself. */
  #quiet: boolean;
  #held: boolean;
  #inRow: number;
  #readyAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #left = false;

  constructor(
    private readonly ports: Ports,
    { saved: { held, inRow }, ends, quiet }: KeptWakes,
  ) {
    this.#pending = ends.map((end) => ({ kind: 'command', end }));
    this.#quiet = quiet;
    this.#held = held;
    this.#inRow = inRow;
  }

  /** Nothing starts a turn until a person says something. */
  get held(): boolean {
    return this.#held;
  }

  /** Turns in a row that nobody has asked for. */
  get inRow(): number {
    return this.#inRow;
  }

  commandEnded(end: BackgroundEnd): void {
    this.#add({ kind: 'command', end });
  }

  /** `found`: it has ended before a restart. */
  agentEnded(end: AgentEnd, found: boolean): void {
    if (found) this.#pending.push({ kind: 'agent', end });
    else this.#add({ kind: 'agent', end });
    // a turn that was cut is a person's to continue
    if (found && !this.#quiet) this.ports.wake();
  }

  clockRang(periodMinutes: number): void {
    this.#pending = this.#pending.filter(({ kind }) => kind !== 'clock');
    this.#add({ kind: 'clock', periodMinutes, at: new Date() });
  }

  /** What the next turn is to be told. An end that the agent has read itself is no news. */
  pending(): Wake[] {
    this.#pending = this.#pending.filter((wake) => wake.kind === 'clock' || !wake.end.read);
    return [...this.#pending];
  }

  ends(): BackgroundEnd[] {
    return this.pending().flatMap((wake) => (wake.kind === 'command' ? [wake.end] : []));
  }

  /** Whether a turn starts for it sooner or later, without a person. */
  get waits(): boolean {
    return !this.#quiet && !this.#held && !this.#left && this.pending().length > 0;
  }

  /** Whether a turn is to start for it now. Where it is to wait, `wake` is called when it has. */
  due(): boolean {
    clearTimeout(this.#timer);
    if (!this.waits) return false;
    const wait = this.#readyAt - Date.now();
    if (wait <= 0) return true;
    this.#timer = setTimeout(this.ports.wake, wait).unref();
    return false;
  }

  /** These are part of the conversation now; `alone`: no person has said anything with them. */
  delivered(wakes: readonly Wake[], alone: boolean): void {
    this.#pending = this.#pending.filter((wake) => !wakes.includes(wake));
    this.#inRow = alone ? this.#inRow + 1 : 0;
    if (!alone) this.#held = false;
    this.ports.changed();
  }

  turnEnded(): void {
    const pause = this.#inRow < 2 ? 0 : FIRST_PAUSE_MS * 2 ** (this.#inRow - 2);
    this.#readyAt = Date.now() + Math.min(pause, LONGEST_PAUSE_MS);
    this.ports.changed();
  }

  hold(): void {
    this.#held = true;
    this.ports.changed();
  }

  release(): void {
    this.#held = false;
    this.#inRow = 0;
    this.#readyAt = 0;
    this.ports.changed();
  }

  leave(): void {
    this.#left = true;
    this.#pending = [];
    clearTimeout(this.#timer);
  }

  #add(wake: Wake): void {
    if (this.#left) return;
    this.#pending = [...this.#pending, wake].slice(-MOST_PENDING);
    this.#quiet = false;
    this.ports.changed();
    this.ports.wake();
  }
}
