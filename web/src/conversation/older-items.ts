/**
 * The part of a conversation that lies before what the session's state holds: pages the reader asked for, and
 * what the state let go of while they were reading it.
 */
import type { Item } from '@tscodex/shared/items';
import type { ItemPage } from '@tscodex/shared/workspace';

export type Earlier = {
  /** Oldest first. */
  items: readonly Item[];
  /** The cursor for the page before; null when there is nothing older. */
  older: string | null;
};

type Shown = { items: readonly Item[]; older: string | null };

/** Nothing is loaded yet; what comes before the state is found by the state's own cursor. */
export function nothingEarlier({ older }: Shown): Earlier {
  return { items: [], older };
}

/** Puts a page in front. What is there already, here or in `shown`, is not put in twice. */
export function withPage(earlier: Earlier, page: ItemPage, shown: readonly Item[]): Earlier {
  const known = new Set([...earlier.items, ...shown].map((item) => item.id));
  const fresh = (page.items as Item[]).filter((item) => !known.has(item.id));
  return { items: [...fresh, ...earlier.items], older: page.older };
}

/** Whether the state let go of items at its front, or is another one altogether. */
export function hasMoved(before: Shown, now: Shown): boolean {
  return before.items[0]?.id !== now.items[0]?.id || before.older !== now.older;
}

/**
 * What becomes of it when the state moves on from `before` to `now`. Items that the state dropped are kept
 * for a reader who is among them; one who follows the end loses the rest, so that a page left open stays small.
 */
export function afterTrim(earlier: Earlier, before: Shown, now: Shown, following: boolean): Earlier {
  if (!hasMoved(before, now)) return earlier;
  const kept = new Set(now.items.map((item) => item.id));
  const dropped = before.items.filter((item) => !kept.has(item.id));
  if (following || dropped.length === before.items.length) return nothingEarlier(now);
  return { items: [...earlier.items, ...dropped], older: earlier.older };
}
