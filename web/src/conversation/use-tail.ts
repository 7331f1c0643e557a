import type { Item } from '@tscodex/shared/items';
import { type RefObject, useLayoutEffect, useState } from 'react';

/** How many of the newest items flow, at least and at the most; those before are in the page only when near the view. */
const LEAST = 30;
const MOST = 60;
/** What a reader sees of them stays, with so many before. */
const SPARE = 5;

/**
 * From where on the newest items flow. What flows is where the browser puts it, whatever grows in it: the end can be
 * followed. Now and then some move on to the older ones, none that are read.
 */
export function useTail(
  items: readonly Item[],
  following: boolean,
  view: RefObject<HTMLElement | null>,
): number {
  const [from, setFrom] = useState<string | null>(() => items.at(-LEAST)?.id ?? null);
  const found = from === null ? 0 : items.findIndex(({ id }) => id === from);
  const at = found < 0 ? Math.max(0, items.length - LEAST) : found;
  useLayoutEffect(() => {
    if (items.length - at <= MOST) return;
    const read = following ? items.length : firstRead(items, at, view.current);
    const next = items[Math.min(items.length - LEAST, read - SPARE)];
    if (next && items.indexOf(next) > at) setFrom(next.id);
  }, [items, at, following, view]);
  return at;
}

/** The first one from `from` on that is not above the view. */
function firstRead(items: readonly Item[], from: number, view: HTMLElement | null): number {
  const top = view?.getBoundingClientRect().top ?? 0;
  const at = items.slice(from).findIndex(({ id }) => {
    const element = view?.querySelector(`[data-id="${CSS.escape(id)}"]`);
    return element && element.getBoundingClientRect().bottom > top;
  });
  return at < 0 ? from : from + at;
}
