import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { isMac } from '../ui/is-mac.ts';

/**
 * Ctrl+F (⌘F) finds in the conversation, also in what the browser cannot see; a second time it is the browser's own.
 */
export function useFindKey(view: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const begin = useCallback(() => {
    setOpen(true);
    field.current?.focus();
    field.current?.select();
  }, []);
  const end = useCallback(() => {
    setOpen(false);
    view.current?.focus({ preventScroll: true });
  }, [view]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!isFindKey(event) || event.defaultPrevented || document.activeElement === field.current) return;
      // not from within a dialog, nor where the conversation is not on show
      if (document.querySelector('dialog[open]') || !view.current?.checkVisibility()) return;
      event.preventDefault();
      begin();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [begin, view]);
  return { isOpen, field, begin, end };
}

function isFindKey({ key, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return (
    key.toLowerCase() === 'f' && (isMac() ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !shiftKey && !altKey
  );
}
