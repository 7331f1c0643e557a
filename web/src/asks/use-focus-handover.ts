import type { Ask } from '@tscodex/shared/asks';
import { type FocusEvent, useEffect, useRef } from 'react';

/**
 * Hands the focus on when the ask that had it is gone, whoever answered it: to the oldest that is left, or by
 * `onLast`. The browser would drop it, and a keyboard or a screen reader would start again at the top of the page.
 */
export function useFocusHandover(asks: readonly Ask[], onLast: () => void) {
  const list = useRef<HTMLDivElement>(null);
  const focused = useRef<HTMLFormElement | null>(null);

  useEffect(() => {
    if (!focused.current || focused.current.isConnected) return;
    focused.current = null;
    if (document.activeElement !== document.body) return;
    const next = list.current?.querySelector('form');
    if (next) next.focus();
    else onLast();
  }, [asks]);

  return {
    ref: list,
    onFocus: ({ target }: FocusEvent) => {
      focused.current = target.closest('form');
    },
    onBlur: ({ relatedTarget }: FocusEvent) => {
      // to nothing: its button was disabled, and it may come back
      if (relatedTarget) focused.current = null;
    },
  };
}
