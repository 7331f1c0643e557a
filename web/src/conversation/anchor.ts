/**
 * What somebody reads stays where it is while what lies above it changes. Browsers do so by themselves in what flows,
 * some of them; not in a list of which only a part is in the page. So here it is done for both, in one way.
 */
export class Anchor {
  #element: Element | null = null;
  /** Of its top, below that of the view. */
  #top = 0;

  constructor(
    private readonly view: HTMLElement,
    private readonly content: HTMLElement,
  ) {}

  /** From here on the first thing in view is to stay where it is now. */
  take(): void {
    this.#element = firstInView(this.content, this.view.getBoundingClientRect().top);
    this.#top = this.#element ? this.#topOf(this.#element) : 0;
  }

  /** Nothing is to stay: the reader is brought elsewhere. */
  drop(): void {
    this.#element = null;
  }

  /** Brings it back to where it was. */
  hold(): void {
    if (this.#element?.isConnected) {
      const moved = this.#topOf(this.#element) - this.#top;
      if (Math.abs(moved) >= 1) this.view.scrollTop += moved;
    }
    this.take();
  }

  #topOf(element: Element): number {
    return element.getBoundingClientRect().top - this.view.getBoundingClientRect().top;
  }
}

/** How deep to look: into the blocks of a message, not into its words. */
const DEPTH = 8;

/** The first element that begins in view, or goes on into it and has no parts. */
function firstInView(content: Element, top: number): Element | null {
  let within = content;
  let found: Element | null = null;
  for (let depth = 0; depth < DEPTH; depth++) {
    const next = firstBelow(partsOf(within), top);
    if (!next) return found;
    found = next;
    if (next.getBoundingClientRect().top >= top || scrollsItself(next)) return found;
    within = next;
  }
  return found;
}

/** An edge is no part of what is read: more comes between it and that. */
function partsOf(element: Element): Element[] {
  return [...element.children].filter((part) => !part.hasAttribute('data-edge'));
}

/** What lies in it moves for reasons of its own. */
function scrollsItself(element: Element): boolean {
  return getComputedStyle(element).overflowY !== 'visible';
}

/** Of elements one below the other, the first that ends below `top`. */
function firstBelow(elements: readonly Element[], top: number): Element | null {
  let [low, high] = [0, elements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const element = elements[middle] as Element;
    if (element.getBoundingClientRect().bottom > top + 1) high = middle;
    else low = middle + 1;
  }
  return elements[low] ?? null;
}
