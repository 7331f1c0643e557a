/** Work on things that have a name: of one name one after another, of different names beside each other. */
export class InTurn {
  /** What is under way, or waits, by name. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** Rejects with what the work throws; what comes after it begins all the same. */
  run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const done = (this.#last.get(name) ?? Promise.resolve()).then(work);
    const settled = done
      .catch(() => undefined) // whoever asked for it is told
      .then(() => {
        if (this.#last.get(name) === settled) this.#last.delete(name);
      });
    this.#last.set(name, settled);
    return done;
  }

  /** Resolves when nothing is under way of what was begun by now. */
  async settled(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
