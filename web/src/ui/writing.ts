/**
 * Tells the style sheets, as `data-writing` on the root, that the focus is where one writes: there a phone shows its
 * keyboard. `:root:has(:focus)` would make the browser match all of a long conversation again with every delta.
 */
export function keepWriting(document: Document): void {
  const root = document.documentElement;
  document.addEventListener('focusin', ({ target }) => {
    root.toggleAttribute('data-writing', target instanceof Element && target.matches('textarea, input'));
  });
  document.addEventListener('focusout', () => root.removeAttribute('data-writing'));
}
