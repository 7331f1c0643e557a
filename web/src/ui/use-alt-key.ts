import { useEffect } from 'react';
import { isComposing } from './is-composing.ts';
import { isMac } from './is-mac.ts';

/**
 * Alt and a letter, from anywhere: only not while one writes on a Mac, where it types an accent or an ñ, and not over
 * a dialog, which wants an answer first. `code`: the key by its place, as with Option a Mac types a dead key there.
 * `through`: a selector of dialogs that it works over all the same.
 */
export function useAltKey(code: string, onPress: () => void, through?: string): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.code !== code) return;
      if (isComposing(event) || (isMac() && isText(event.target))) return;
      const dialogs = [...document.querySelectorAll('dialog[open]')];
      if (dialogs.some((dialog) => !through || !dialog.matches(through))) return;
      event.preventDefault();
      if (!event.repeat) onPress();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [code, onPress, through]);
}

function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('textarea, input');
}
