import { useEffect } from 'react';
import { isComposing } from '../ui/is-composing.ts';

/**
 * Alt+I, from anywhere: only not while one writes on a Mac, where it is part of an accent, and not over another
 * dialog, which wants an answer first.
 */
export function useInboxKey(toggle: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // by place, not by letter: with Option a Mac types a dead key here
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== 'KeyI') return;
      if (isComposing(event) || (isMac() && isText(event.target))) return;
      if (document.querySelector('dialog:modal:not([data-inbox-panel])')) return;
      event.preventDefault();
      if (!event.repeat) toggle();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [toggle]);
}

function isMac(): boolean {
  return /Mac|iP(hone|ad)/.test(navigator.platform);
}

function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('textarea, input');
}
