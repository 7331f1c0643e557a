/** What of a conversation is in the page, where its reader is, and how they come to another place. */
import type { Item } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { type RefObject, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import type { SessionActions } from '../state/actions.ts';
import { useFollow } from './use-follow.ts';
import { HELD, useHeldItems } from './use-held-items.ts';
import { useStretch } from './use-stretch.ts';
import { useTail } from './use-tail.ts';

/** Pixels above the first item: of the column, and of the edge where there is one. */
const PADDING = 24;
const EDGE = 40;

const NONE: readonly Item[] = [];

export function useShown(
  state: SessionState,
  actions: SessionActions,
  view: RefObject<HTMLDivElement | null>,
  content: RefObject<HTMLDivElement | null>,
) {
  const { following, away, newOutput, end, detach, onFollow, onLost } = useFollow(view, content);
  const { stretch, older, newer, goAround, toNewest } = useStretch(state, actions, following);
  const detached = stretch.newer !== null;
  const at = useTail(state.items, following, view);
  const beforeTail = useSteady(detached ? NONE : state.items.slice(0, at));
  const past = useMemo(() => [...stretch.items, ...beforeTail], [stretch.items, beforeTail]);
  const tail = detached ? NONE : state.items.slice(at);
  const list = useRef<VirtualizerHandle>(null);
  const isNews = useIsNews(state, following);

  onFollow.current = toNewest;
  onLost.current = ({ id, top }) => {
    const index = past.findIndex((item) => item.id === id);
    if (index >= 0) list.current?.scrollToIndex(index, { align: 'start', offset: -top });
  };
  // whatever came or went above: before the frame is painted
  useLayoutEffect(() => detach(detached), [detach, detached]);
  useLayoutEffect(() => end.keepPlace(), [end, past, stretch.older]);

  const now = useRef({ past, tail });
  useLayoutEffect(() => {
    now.current = { past, tail };
  });
  const goTo = useCallback(
    async (id: string) => {
      const isHere = () => [...now.current.past, ...now.current.tail].some((item) => item.id === id);
      end.letGo();
      if (!isHere()) await goAround(id);
      end.letGo();
      const index = now.current.past.findIndex((item) => item.id === id);
      if (index >= 0) list.current?.scrollToIndex(index, { align: 'center' });
      else elementOf(content.current, id)?.scrollIntoView({ block: 'center' });
    },
    [goAround, content, end],
  );

  const ids = useHeldItems(view);
  const held = useMemo(() => heldRange(past, ids), [past, ids]);
  return {
    ...{ stretch, past, tail, older, newer, list, held, goTo, following },
    away: away || detached,
    newOutput: newOutput && isNews,
    above: PADDING + (stretch.older === null ? 0 : EDGE),
    follow: end.follow,
  };
}

/** The item's element, where it is in the page. */
export function elementOf(content: Element | null, id: string): Element | null {
  return content?.querySelector(`[data-id="${CSS.escape(id)}"]`) ?? null;
}

/** Whether the conversation has changed since its reader let go of the end. */
function useIsNews({ items }: SessionState, following: boolean): boolean {
  const [left, setLeft] = useState({ items, following });
  if (left.following !== following) setLeft({ items, following });
  return !following && left.items !== items;
}

/** The same array as long as it holds the same. */
function useSteady<T>(items: readonly T[]): readonly T[] {
  const [steady, setSteady] = useState(items);
  const same = steady.length === items.length && steady.every((item, at) => item === items[at]);
  if (!same) setSteady(items);
  return same ? steady : items;
}

function heldRange(past: readonly Item[], ids: readonly [string, string] | null) {
  if (ids === null) return null;
  const places = ids.map((id) => past.findIndex((item) => item.id === id));
  if (places.every((place) => place < 0)) return null;
  // what is not among the older ones comes after them
  const [a = 0, b = 0] = places.map((place) => (place < 0 ? past.length - 1 : place));
  const [from, to] = [Math.min(a, b), Math.max(a, b)];
  return { from: Math.max(from, to - HELD), to };
}
