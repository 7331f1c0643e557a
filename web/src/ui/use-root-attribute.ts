import { useLayoutEffect } from 'react';

/**
 * Says something of the page on its root element while the component is shown, for style sheets of other parts.
 * `:root:has(…)` would say it without code, but makes the browser match all of a long conversation again with every
 * delta.
 */
export function useRootAttribute(name: `data-${string}`, value: string): void {
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.setAttribute(name, value);
    return () => root.removeAttribute(name);
  }, [name, value]);
}
