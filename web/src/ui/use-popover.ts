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
      if (isElsewhere(event.target, ref.current)) setOpen(false);
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
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    if (isElsewhere(relatedTarget, ref.current)) setOpen(false);
  };
  const toggle = useCallback(() => setOpen((before) => !before), []);
  return { isOpen, toggle, close, around: { ref, onKeyDown, onBlur } };
}

/** A dialog that was opened from here lies over it, and leaves the focus where it came from. */
function isElsewhere(target: EventTarget | null, around: HTMLElement | null): boolean {
  return target instanceof Element && !around?.contains(target) && target.closest('dialog') === null;
}
