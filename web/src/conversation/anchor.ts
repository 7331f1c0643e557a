/**
 * What somebody reads stays where it is while what lies above it changes. Browsers do so by themselves in what flows,
 * some of them; not in a list of which only a part is in the page. So here it is done for both, in one way.
 */
export class Anchor {
  #element: Element | null = null;
  /** The item that it is of, which may be made anew elsewhere. */
  #item: { id: string; top: number } | null = null;
  /** Of its top, below that of the view. */
  #top = 0;

  constructor(
    private readonly view: HTMLElement,
    private readonly content: HTMLElement,
    /** The item is not in the page any more; `top`: where its own was, below that of the view. */
    private readonly lost: (item: { id: string; top: number }) => void,
  ) {}

  /** From here on the first thing in view is to stay where it is now. */
  take(): void {
    this.#element = firstInView(this.content, this.view.getBoundingClientRect().top);
    this.#top = this.#element ? this.#topOf(this.#element) : 0;
    const item = this.#element?.closest('[data-id]');
    const id = item?.getAttribute('data-id');
    this.#item = item && id ? { id, top: this.#topOf(item) } : null;
  }

  /** Nothing is to stay: the reader is brought elsewhere. */
  drop(): void {
    this.#element = null;
    this.#item = null;
  }

  /** Brings it back to where it was. */
  hold(): void {
    const item = this.#item;
    if (this.#element?.isConnected) this.#moveBack(this.#element, this.#top);
    else if (item) {
      // so much has come above it that the list took it out, or made it anew
      const anew = this.content.querySelector(`[data-id="${CSS.escape(item.id)}"]`);
      if (!anew) {
        this.lost(item);
        return;
      }
      this.#moveBack(anew, item.top);
    }
    this.take();
  }

  #moveBack(element: Element, top: number): void {
    const moved = this.#topOf(element) - top;
    if (Math.abs(moved) >= 1) this.view.scrollTop += moved;
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
    // what holds the items stays where it is while more comes into it
    const isOfItem = next.closest('[data-id]') !== null;
    if (isOfItem && (next.getBoundingClientRect().top >= top || scrollsItself(next))) return found;
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
