import { type RefObject, useEffect, useState } from 'react';

/** Items of one selection that stay in the page, at the most. */
export const HELD = 500;

/**
 * Items that must not leave the page while they are out of view: what is selected can then be copied whole, and the
 * focus stays where it is. The ids of the first and the last.
 */
export function useHeldItems(view: RefObject<HTMLElement | null>): readonly [string, string] | null {
  const [held, setHeld] = useState<readonly [string, string] | null>(null);
  useEffect(() => {
    const look = () => {
      const now = view.current ? heldIn(view.current) : null;
      setHeld((before) => (before?.[0] === now?.[0] && before?.[1] === now?.[1] ? before : now));
    };
    document.addEventListener('selectionchange', look);
    document.addEventListener('focusin', look);
    document.addEventListener('focusout', look);
    return () => {
      document.removeEventListener('selectionchange', look);
      document.removeEventListener('focusin', look);
      document.removeEventListener('focusout', look);
    };
  }, [view]);
  return held;
}

function heldIn(view: HTMLElement): readonly [string, string] | null {
  const selection = document.getSelection();
  const nodes =
    selection && !selection.isCollapsed
      ? [selection.anchorNode, selection.focusNode]
      : [document.activeElement];
  const ids = nodes.flatMap((node) => idOf(node, view) ?? []);
  const [first, last = first] = ids;
  return first === undefined || last === undefined ? null : [first, last];
}

function idOf(node: Node | null, view: HTMLElement): string | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  const item = element?.closest<HTMLElement>('[data-id]');
  return item && view.contains(item) ? item.dataset.id : undefined;
}
