import type { SessionState } from '@tscodex/shared/session-state';
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { SessionActions } from '../state/actions.ts';
import { useAction } from '../ui/use-action.ts';
import { afterTrim, type Earlier, hasMoved, nothingEarlier, withPage } from './older-items.ts';

/** Where the first item stood before a page was put in front of it. */
type Anchor = { element: Element; top: number };

/**
 * What came before the items of the session's state. A page that arrives above does not move what is being
 * read: the first item is put back to where it was.
 */
export function useEarlier(
  state: SessionState,
  actions: SessionActions,
  following: boolean,
  view: RefObject<HTMLElement | null>,
) {
  const [earlier, setEarlier] = useState<Earlier>(() => nothingEarlier(state));
  const shown = useRef(state);
  const anchor = useRef<Anchor | null>(null);
  const { busy, problem, run } = useAction();

  // before the frame is painted, so that none lacks what the state has just let go of
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = state;
    if (hasMoved(before, state)) setEarlier((now) => afterTrim(now, before, state, following));
  }, [state, following]);

  const cursor = earlier.older;
  const load = useCallback(() => {
    if (cursor === null) return;
    void run(async () => {
      const page = await actions.older(cursor);
      anchor.current = firstItem(view.current);
      setEarlier((now) => withPage(now, page, shown.current.items));
    });
  }, [actions, cursor, run, view]);

  useLayoutEffect(() => {
    const before = anchor.current;
    anchor.current = null;
    if (!before || !view.current) return;
    view.current.scrollTop += before.element.getBoundingClientRect().top - before.top;
  }, [earlier.items, view]);

  return { items: earlier.items, older: cursor, loading: busy, problem, load };
}

function firstItem(view: HTMLElement | null): Anchor | null {
  const element = view?.querySelector('[data-item]');
  return element ? { element, top: element.getBoundingClientRect().top } : null;
}
