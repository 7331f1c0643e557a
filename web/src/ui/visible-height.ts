/**
 * For browsers whose keyboard lies over the page instead of making it smaller (Safari): tells the style sheets how
 * much of the page is seen, as `--visible-height`, and that it is covered, as `data-covered`. Elsewhere neither is
 * set, and `100dvh` is right by itself.
 */
export function keepVisibleHeight(view: VisualViewport | null, root: HTMLElement): void {
  if (!view) return;
  const update = () => {
    // zoomed in, the visible part is smaller because the reader wants it so
    const covered = view.scale === 1 && view.height < innerHeight - 1;
    if (covered) root.style.setProperty('--visible-height', `${view.height}px`);
    else root.style.removeProperty('--visible-height');
    root.toggleAttribute('data-covered', covered);
    // the browser has moved the page up to show the field, which now lies above the keyboard by itself
    if (covered && view.offsetTop > 0) scrollTo(0, 0);
  };
  view.addEventListener('resize', update);
  view.addEventListener('scroll', update);
  update();
}
