/** A bounded number of places: who finds none free waits, in the order of coming. */
export class Places {
  #free: number;
  readonly #queue = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Takes a place even where none is free: for what has had one before. */
  occupy(): void {
    this.#free -= 1;
  }

  /** Resolves with a place taken. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const abort = () => {
        this.#queue.delete(proceed);
        reject(signal.reason);
      };
      const proceed = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#queue.add(proceed);
    });
  }

  /** Gives a place back, to who has waited longest. */
  release(): void {
    this.#free += 1;
    const [next] = this.#queue;
    if (next === undefined || this.#free <= 0) return;
    this.#queue.delete(next);
    this.#free -= 1;
    next();
  }
}
