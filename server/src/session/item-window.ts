/** The newest items of a conversation read in order, in bounded memory. */
import { weightOf } from '@tscodex/shared/item-weight';
import type { Item } from '@tscodex/shared/items';

export class ItemWindow {
  private readonly kept = new Map<string, Item>();
  private weight = 0;
  private left = false;

  constructor(private readonly limit: { items: number; weight: number }) {}

  /** `isNew`: no item before had its id. One of before is replaced where it stands, or stays gone. */
  put(item: Item, isNew: boolean): void {
    const before = this.kept.get(item.id);
    if (!before && !isNew) return;
    this.kept.set(item.id, item);
    this.weight += weightOf(item) - (before ? weightOf(before) : 0);
    while (this.isOver()) this.drop();
  }

  /** Oldest first. */
  get items(): Item[] {
    return [...this.kept.values()];
  }

  /** The id of the oldest item here when there are older ones: the cursor for the page before. */
  get older(): string | null {
    return this.left ? (this.kept.keys().next().value ?? null) : null;
  }

  /** The newest stays, whatever it weighs. */
  private isOver(): boolean {
    const { size } = this.kept;
    return size > 1 && (size > this.limit.items || this.weight > this.limit.weight);
  }

  private drop(): void {
    const [oldest] = this.kept.values();
    if (!oldest) return;
    this.kept.delete(oldest.id);
    this.weight -= weightOf(oldest);
    this.left = true;
  }
}
