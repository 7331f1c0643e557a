/** The newest items of a conversation read in order, in bounded memory. */
import type { Item } from '@tscodex/shared/items';

export class ItemWindow {
  private readonly kept = new Map<string, Item>();
  private readonly seen = new Set<string>();

  constructor(private readonly limit: number) {}

  /** A known item is replaced where it stands, or stays gone when it has left the window. */
  put(item: Item): void {
    if (this.seen.has(item.id)) {
      this.replace(item);
      return;
    }
    this.seen.add(item.id);
    this.kept.set(item.id, item);
    if (this.kept.size > this.limit) this.kept.delete(this.kept.keys().next().value as string);
  }

  replace(item: Item): void {
    if (this.kept.has(item.id)) this.kept.set(item.id, item);
  }

  /** Oldest first. */
  get items(): Item[] {
    return [...this.kept.values()];
  }

  /** The id of the oldest item here when there are older ones: the cursor for the page before. */
  get older(): string | null {
    return this.seen.size > this.kept.size ? (this.kept.keys().next().value ?? null) : null;
  }
}
