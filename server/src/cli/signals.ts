/** The signals that end a server: the first asks for an orderly end, the second for one at once. */
import type { EventEmitter } from 'node:events';

/** One Ctrl+C may arrive twice: from the terminal, and passed on by `npm` or `npm start`. */
const SAME_PRESS_MS = 500;

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type Signal = (typeof names)[number];

export class Signals {
  readonly first: Promise<Signal>;
  readonly second: Promise<Signal>;
  readonly #emitter: EventEmitter;
  readonly #waiting: ((signal: Signal) => void)[] = [];
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(emitter: EventEmitter) {
    this.#emitter = emitter;
    this.first = new Promise((resolve) => this.#waiting.push(resolve));
    this.second = new Promise((resolve) => this.#waiting.push(resolve));
    for (const name of names) emitter.on(name, this.#received);
  }

  /** Leaves the signals to what they do by themselves. */
  stop(): void {
    for (const name of names) this.#emitter.off(name, this.#received);
  }

  #received = (signal: Signal): void => {
    const now = performance.now();
    if (now - this.#lastAt < SAME_PRESS_MS) return;
    this.#lastAt = now;
    this.#waiting.shift()?.(signal);
  };
}
