import { useCallback, useEffect, useState } from 'react';
import { t } from '../messages/messages.ts';
import { isComposing } from '../ui/is-composing.ts';
import { isMac } from '../ui/is-mac.ts';
import { keptCatalog } from './kept-catalog.ts';

/** For assistive technology. */
export const CATALOG_KEYS = 'Control+K Meta+K';

/** The key as people write it here. */
export function catalogKey(): string {
  return t(isMac() ? 'catalog.keyMac' : 'catalog.key');
}

/**
 * Whether the list of all sessions is open, as it was before a reload of the page. Ctrl+K opens and closes it, ⌘K on a
 * Mac, but not over another dialog.
 */
export function useCatalogKey() {
  const [isOpen, setOpen] = useState(() => keptCatalog() !== null);
  const open = useCallback(() => setOpen(true), []);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // on a Mac Ctrl+K takes away the rest of a line one writes
      const held = isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
      if (!held || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k' || isComposing(event))
        return;
      const dialogs = [...document.querySelectorAll('dialog[open]')];
      if (!dialogs.every((dialog) => dialog.matches('[data-catalog]'))) return;
      event.preventDefault();
      if (!event.repeat) setOpen((before) => !before);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  return { isOpen, open, close };
}
