/**
 * The part of a conversation that is shown before, or in place of, what the session's state holds: pages the reader
 * came to, and what the state let go of while they were reading it.
 */
import { weightOf } from '@tscodex/shared/item-weight';
import type { Item } from '@tscodex/shared/items';
import type { ItemPage } from '@tscodex/shared/workspace';

export type Stretch = {
  /** Oldest first. */
  items: readonly Item[];
  /** The cursor for the page before; null when there is nothing older. */
  older: string | null;
  /** The cursor for the page after; null when the state's items follow. Where they do not, they are not shown. */
  newer: string | null;
  /** Another one for a stretch that has nothing to do with the one before. */
  number: number;
};

type Shown = { items: readonly Item[]; older: string | null };

/** What is held of a stretch at the most: beyond that the end is let go that the reader is not at. */
const MOST = { items: 1_500, weight: 16 * 1024 * 1024 };
/** What stays however much it weighs. */
const LEAST = 100;

/** Nothing but what the state holds; what comes before is found by the state's own cursor. */
export function newest({ older }: Shown, number: number): Stretch {
  return { items: [], older, newer: null, number };
}

/** Puts a page in front. What is there already, here or in `shown`, is not put in twice. */
export function withOlder(stretch: Stretch, page: ItemPage, shown: readonly Item[]): Stretch {
  const fresh = without(page, [...stretch.items, ...shown]);
  const items = [...fresh, ...stretch.items];
  const count = fitting(items);
  if (count === items.length) return { ...stretch, items, older: page.older };
  const kept = items.slice(0, count);
  return { ...stretch, items: kept, older: page.older, newer: kept.at(-1)?.id ?? null };
}

/** Puts a page behind. One that comes to the state's items closes the gap. */
export function withNewer(stretch: Stretch, page: ItemPage, shown: readonly Item[]): Stretch {
  const items = [...stretch.items, ...without(page, [...stretch.items, ...shown])];
  const newer = meets(page, shown) ? null : page.newer;
  const kept = items.slice(-fitting(items.toReversed()));
  return {
    ...stretch,
    items: kept,
    newer,
    older: kept[0] === items[0] ? stretch.older : (kept[0]?.id ?? null),
  };
}

/** The stretch around an item far from where the reader was. */
export function around(page: ItemPage, shown: readonly Item[], number: number): Stretch {
  const items = without(page, shown);
  return { items, older: page.older, newer: meets(page, shown) ? null : page.newer, number };
}

/** Whether the state let go of items at its front, or is another one altogether. */
export function hasMoved(before: Shown, now: Shown): boolean {
  return before.items[0]?.id !== now.items[0]?.id || before.older !== now.older;
}

/**
 * What becomes of it when the state moves on from `before` to `now`. Items that the state dropped are kept
 * for a reader who is among them; one who follows the end loses the rest, so that a page left open stays small.
 */
export function afterTrim(stretch: Stretch, before: Shown, now: Shown, following: boolean): Stretch {
  if (stretch.newer !== null || !hasMoved(before, now)) return stretch;
  const kept = new Set(now.items.map((item) => item.id));
  const dropped = before.items.filter((item) => !kept.has(item.id));
  if (dropped.length === before.items.length) return newest(now, stretch.number + 1);
  if (following) return newest(now, stretch.number);
  const items = [...stretch.items, ...dropped];
  const held = items.slice(0, fitting(items));
  if (held.length === items.length) return { ...stretch, items };
  return { ...stretch, items: held, newer: held.at(-1)?.id ?? null };
}

function without(page: ItemPage, items: readonly Item[]): Item[] {
  const known = new Set(items.map((item) => item.id));
  return (page.items as Item[]).filter((item) => !known.has(item.id));
}

function meets(page: ItemPage, shown: readonly Item[]): boolean {
  const ids = new Set(shown.map((item) => item.id));
  return page.newer === null || page.items.some((item) => ids.has(item.id));
}

/** How many of them, from the first on, may be held. */
function fitting(items: readonly Item[]): number {
  let weight = 0;
  const over = items.findIndex((item, at) => {
    weight += weightOf(item);
    return at >= LEAST && (at >= MOST.items || weight > MOST.weight);
  });
  return over < 0 ? items.length : over;
}
