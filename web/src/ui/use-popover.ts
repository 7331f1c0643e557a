import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react';
import { isComposing } from './is-composing.ts';

/**
 * Something small that a button opens beside itself. Escape, a press elsewhere and the focus going elsewhere close
 * it; Escape brings the focus back to the button. `around` goes on what holds both.
 */
export function usePopover() {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLSpanElement>(null);
  const close = useCallback(() => setOpen(false), []);

  useEffect(() => {
    if (!isOpen) return;
    const onPress = (event: PointerEvent) => {
      if (isElsewhere(event.target, ref.current) && !isInDialog(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPress);
    return () => document.removeEventListener('pointerdown', onPress);
  }, [isOpen]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen || isComposing(event)) return;
    event.stopPropagation();
    setOpen(false);
    ref.current?.querySelector<HTMLElement>('button[aria-expanded]')?.focus();
  };
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    // a dialog that was opened from here lies over it, and gives the focus back
    const opensDialog =
      target.closest('[aria-haspopup="dialog"]:not([aria-expanded])') !== null && isInDialog(relatedTarget);
    if (!opensDialog && isElsewhere(relatedTarget, ref.current)) setOpen(false);
  };
  const toggle = useCallback(() => setOpen((before) => !before), []);
  return { isOpen, toggle, close, around: { ref, onKeyDown, onBlur } };
}

function isElsewhere(target: EventTarget | null, around: HTMLElement | null): boolean {
  return target instanceof Element && !around?.contains(target);
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog') !== null;
}
