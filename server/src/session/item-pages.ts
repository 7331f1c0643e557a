/** Pages of a conversation: some items before one, after one or around it, as many as fit. */
import { weightOf } from '@tscodex/shared/item-weight';
import type { Item } from '@tscodex/shared/items';
import { ITEMS_KEPT, PAGE_BYTES, WEIGHT_KEPT } from '@tscodex/shared/limits';
import type { ItemPage } from '@tscodex/shared/workspace';
import type { ItemIndex } from './item-index.ts';

/** Exactly one of them. */
export type PageAsked = { before: string } | { after: string } | { around: string };

/** null when there is no such item. */
export async function pageOf(index: ItemIndex, asked: PageAsked, limit: number): Promise<ItemPage | null> {
  const [id] = Object.values(asked) as [string];
  if (!index.has(id)) return null;
  const all = { count: limit, size: PAGE_BYTES };
  if ('before' in asked) {
    const { items, more } = await taken(index.backwards(id), all);
    return pageFrom(items.reverse(), more, true, id);
  }
  if ('after' in asked) {
    const { items, more } = await taken(behind(index, id), all);
    return pageFrom(items, true, more, id);
  }
  const half = { count: Math.floor(limit / 2), size: PAGE_BYTES / 2 };
  const before = await taken(index.backwards(id), half);
  const after = await taken(index.forwards(id), { ...half, count: limit - before.items.length });
  return pageFrom([...before.items.reverse(), ...after.items], before.more, after.more, id);
}

/**
 * The newest items, oldest first, as many as a session keeps in memory. `older`: the oldest of them where there are
 * others before it. The last one is among them, whatever it weighs.
 */
export async function newestOf(index: ItemIndex): Promise<{ items: Item[]; older: string | null }> {
  const room = { count: ITEMS_KEPT, size: WEIGHT_KEPT };
  const { items, more } = await taken(index.backwards(null), room, weightOf);
  return { items: items.reverse(), older: (more && items[0]?.id) || null };
}

/** `older`, `newer`: whether there are such. An empty page goes on where it was asked for. */
function pageFrom(items: Item[], older: boolean, newer: boolean, asked: string): ItemPage {
  const [first, last] = [items[0]?.id ?? asked, items.at(-1)?.id ?? asked];
  return {
    items,
    older: older && items.length > 0 ? first : null,
    newer: newer && items.length > 0 ? last : null,
  };
}

async function* behind(index: ItemIndex, id: string): AsyncGenerator<Item> {
  for await (const item of index.forwards(id)) if (item.id !== id) yield item;
}

/** The first ones that fit, at least one, and whether any is left. */
async function taken(
  from: AsyncIterable<Item>,
  room: { count: number; size: number },
  sizeOf: (item: Item) => number = bytesOf,
) {
  const items: Item[] = [];
  let size = 0;
  for await (const item of from) {
    size += sizeOf(item);
    if (items.length >= room.count || (items.length > 0 && size > room.size)) return { items, more: true };
    items.push(item);
  }
  return { items, more: false };
}

function bytesOf(item: Item): number {
  return Buffer.byteLength(JSON.stringify(item));
}
