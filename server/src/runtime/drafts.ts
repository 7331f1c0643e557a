/**
 * Messages that stream, saved about once a second: a crash then leaves what people have read, and each save costs
 * one row however long the message grows.
 */
import type { EventBody } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import type { SessionStore } from './session-store.ts';

const SAVE_MS = 1000;

export class Drafts {
  readonly #grown = new Set<string>();
  #timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly store: Pick<SessionStore, 'saveDrafts'>,
    private readonly items: () => readonly Item[],
    private readonly fault: (what: string, error: unknown) => void,
  ) {}

  see(event: EventBody): void {
    if (event.type !== 'item.delta' || event.field === 'output') return;
    this.#grown.add(event.itemId);
    this.#timer ??= setTimeout(() => this.#save(), SAVE_MS).unref();
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#grown.clear();
  }

  #save(): void {
    this.#timer = null;
    const items = this.items().filter((item) => this.#grown.has(item.id) && item.status === 'inProgress');
    this.#grown.clear();
    if (items.length) this.store.saveDrafts(items).catch((error) => this.fault('save a draft', error));
  }
}
