/**
 * What of the conversation is opened or closed by hand. Kept apart from what shows it: an item that is scrolled out of
 * view leaves the page, and comes back as it was.
 */
import { createContext, useContext, useState, useSyncExternalStore } from 'react';

/** Choices that are remembered, the newest. */
const KEPT = 1_000;

export class OpenItems {
  readonly #chosen = new Map<string, boolean>();
  readonly #listeners = new Set<() => void>();

  /** undefined where nobody has chosen. `part`: of an item that has several. */
  isOpen(item: string, part: string): boolean | undefined {
    return this.#chosen.get(keyOf(item, part)) ?? this.#chosen.get(keyOf(item, ''));
  }

  set(item: string, part: string, open: boolean): void {
    this.#chosen.delete(keyOf(item, part));
    this.#chosen.set(keyOf(item, part), open);
    if (this.#chosen.size > KEPT) this.#chosen.delete(this.#chosen.keys().next().value as string);
    for (const listener of this.#listeners) listener();
  }

  /** All of an item, also what was closed by hand. */
  reveal(item: string): void {
    for (const key of this.#chosen.keys()) if (key.startsWith(keyOf(item, ''))) this.#chosen.delete(key);
    this.set(item, '', true);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const OpenItemsContext = createContext<OpenItems | null>(null);

/** Whether an item is open; `initial` until somebody has chosen. */
export function useOpen(item: string, initial: boolean): [boolean, (open: boolean) => void] {
  const [choice, choose] = useChoice(item, 'body');
  return [choice ?? initial, choose];
}

/** What was chosen of a part of an item. */
export function useChoice(item: string, part: string): [boolean | undefined, (open: boolean) => void] {
  const around = useContext(OpenItemsContext);
  const [own] = useState(() => new OpenItems());
  const store = around ?? own;
  const choice = useSyncExternalStore(store.subscribe, () => store.isOpen(item, part));
  return [choice, (next) => store.set(item, part, next)];
}

function keyOf(item: string, part: string): string {
  return `${item} ${part}`;
}
