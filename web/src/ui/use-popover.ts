import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { isComposing } from './is-composing.ts';

/**
 * Something small that a button opens beside itself. Escape, a press elsewhere and the focus going elsewhere close
 * it; Escape brings the focus back to the button. What had the focus and is gone hands it to the row after or before
 * its own, else to the panel: Escape would close nothing any more. `around` goes on what holds both.
 */
export function usePopover() {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLSpanElement>(null);
  const focused = useRef<Element | null>(null);
  const close = useCallback(() => setOpen(false), []);

  useEffect(() => {
    if (!isOpen) return;
    const onPress = (event: PointerEvent) => {
      if (isElsewhere(event.target, ref.current) && !isInDialog(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [isOpen]);

  useEffect(() => {
    const around = ref.current;
    if (!isOpen || !around) return;
    const observer = new MutationObserver((changes) => {
      if (document.activeElement !== document.body) return;
      const from = changes.find(({ removedNodes }) =>
        [...removedNodes].some((gone) => gone.contains(focused.current)),
      );
      if (from) inheritor(from, around)?.focus();
    });
    observer.observe(around, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [isOpen]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen || isComposing(event)) return;
    event.stopPropagation();
    setOpen(false);
    ref.current?.querySelector<HTMLElement>('button[aria-expanded]')?.focus();
  };
  const onFocus = ({ target }: FocusEvent) => {
    focused.current = target;
  };
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    if (target.isConnected) focused.current = null;
    // a dialog that was opened from here lies over it, and gives the focus back
    const opensDialog =
      target.closest('[aria-haspopup="dialog"]:not([aria-expanded])') !== null && isInDialog(relatedTarget);
    if (!opensDialog && isElsewhere(relatedTarget, ref.current)) setOpen(false);
  };
  const toggle = useCallback(() => setOpen((before) => !before), []);
  /** Whether all of it was taken away with the focus in it. */
  const hasLostFocus = useCallback(
    () => focused.current?.isConnected === false && document.activeElement === document.body,
    [],
  );
  return { isOpen, toggle, close, hasLostFocus, around: { ref, onKeyDown, onFocus, onBlur } };
}

/** What takes the focus of something that was removed. */
function inheritor({ nextSibling, previousSibling }: MutationRecord, around: HTMLElement) {
  for (const row of [nextSibling, previousSibling]) {
    const button = row instanceof Element && row.isConnected && row.querySelector('button');
    if (button) return button;
  }
  return around.querySelector<HTMLElement>('[role="dialog"]');
}

function isElsewhere(target: EventTarget | null, around: HTMLElement | null): boolean {
  return target instanceof Element && !around?.contains(target);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}
