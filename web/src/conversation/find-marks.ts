/** Where words stand in what is in the page, and how these places are marked and brought into view. */
import { placesOf } from '@tscodex/shared/find-text';

/** Places that are marked at once, at the most. */
const MARKS = 1_000;

const ALL = 'found';
const CURRENT = 'found-current';

/** All places of `words` within an element, in the order in which they are read. */
export function rangesIn(element: Element, words: string, limit = MARKS): Range[] {
  const nodes: { node: Text; from: number }[] = [];
  let text = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node: node as Text, from: text.length });
    text += (node as Text).data;
  }
  return placesOf(words, text, limit).map(({ from, to }) => {
    const range = document.createRange();
    const [start, end] = [nodeAt(nodes, from), nodeAt(nodes, to - 1)];
    range.setStart(start.node, from - start.from);
    range.setEnd(end.node, to - end.from);
    return range;
  });
}

function nodeAt(nodes: readonly { node: Text; from: number }[], at: number) {
  let [low, high] = [0, nodes.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((nodes[middle]?.from ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return nodes[low] as { node: Text; from: number };
}

/** Marks places, those of the item one is at apart. Where the browser cannot, nothing is marked. */
export function mark(all: readonly Range[], current: readonly Range[]): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.set(ALL, new Highlight(...all));
  const highlight = new Highlight(...current);
  highlight.priority = 1;
  CSS.highlights.set(CURRENT, highlight);
}

export function unmark(): void {
  if (!('highlights' in CSS)) return;
  CSS.highlights.delete(ALL);
  CSS.highlights.delete(CURRENT);
}

/** Scrolls all that scrolls around a place, up to `view`, so that it is in the middle. */
export function bringIntoView(range: Range, view: Element): void {
  let element = range.startContainer.parentElement;
  for (; element; element = element.parentElement) {
    if (element === view || (element.scrollHeight > element.clientHeight + 1 && scrolls(element))) {
      const place = range.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      element.scrollTop += place.top + place.height / 2 - (box.top + box.height / 2);
    }
    if (element === view) return;
  }
}

function scrolls(element: Element): boolean {
  return ['auto', 'scroll'].includes(getComputedStyle(element).overflowY);
}
