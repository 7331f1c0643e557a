/** Tells the open sockets of a login what becomes of it. */

export type LoginListener = {
  renamed(name: string): void;
  /** By a logout. */
  ended(): void;
};

export class LoginWatch {
  readonly #listeners = new Map<string, Set<LoginListener>>();

  /** Returns how to stop watching. */
  watch(id: string, listener: LoginListener): () => void {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
  }

  renamed(id: string, name: string): void {
    for (const listener of [...(this.#listeners.get(id) ?? [])]) listener.renamed(name);
  }

  ended(id: string): void {
    const listeners = this.#listeners.get(id) ?? [];
    this.#listeners.delete(id);
    for (const listener of listeners) listener.ended();
  }
}
