/** Tells listeners that something has changed: changes that come close together are told as one. */

const JOIN_MS = 50;

export class ChangeBell {
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | null = null;

  /** Returns how to stop. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  ring(): void {
    if (this.#listeners.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      for (const listener of this.#listeners) listener();
    }, JOIN_MS);
  }

  close(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#listeners.clear();
  }
}
