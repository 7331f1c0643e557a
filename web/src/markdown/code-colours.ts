/**
 * The colours of the code blocks of the page. A block that is whole gets them once it comes near the view, one block
 * after the other, read in a worker; until then, and where that fails, it is plain. The letters stay where they are:
 * a colour is all that changes.
 */

import styles from './code-colours.module.css';
import { KINDS } from './code-kinds.ts';
import type { Runs } from './code-reader.ts';
import type { TreeCode } from './tree.ts';

/** Code beyond this stays plain: thousands of coloured pieces cost the page more than they tell. */
const MOST_CHARACTERS = 200_000;
const MOST_LINES = 4_000;

/** How far out of view a block is read already. */
const AHEAD = '800px';

const classes: readonly string[] = ['', ...KINDS.map((kind) => styles[kind] ?? '')];

export interface ReadsCode {
  known(code: TreeCode): Runs | undefined;
  read(code: TreeCode): Promise<Runs | null>;
}

export class CodeColours {
  readonly #reader: ReadsCode;
  readonly #wanted = new Map<Element, TreeCode>();
  readonly #near = new Set<Element>();
  #observer: IntersectionObserver | undefined;
  #busy = false;
  /** Whether anything is selected; unknown since that changed last, because to ask makes the browser lay out. */
  #selects: boolean | undefined;

  constructor(reader: ReadsCode) {
    this.#reader = reader;
  }

  /** Colours `element`, which holds the text of `code` and nothing else. */
  want(element: HTMLElement, code: TreeCode): void {
    if (code.language === '' || isHuge(code.text)) return;
    const known = this.#reader.known(code);
    if (known) paint(element, code.text, known);
    else {
      this.#wanted.set(element, code);
      this.#observe().observe(element);
    }
  }

  /** It is gone, or no longer what it was. */
  forget(element: Element): void {
    this.#wanted.delete(element);
    this.#near.delete(element);
    this.#observer?.unobserve(element);
  }

  /** `place` is gone, with all that is in it. */
  forgetIn(place: Element): void {
    for (const element of [place, ...place.querySelectorAll('code')]) this.forget(element);
  }

  #observe(): IntersectionObserver {
    this.#observer ??= this.#start();
    return this.#observer;
  }

  #start(): IntersectionObserver {
    document.addEventListener('selectionchange', () => {
      this.#selects = undefined;
      if (this.#near.size > 0) void this.#work();
    });
    const noted = (entries: IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) this.#near.add(target);
        else this.#near.delete(target);
      void this.#work();
    };
    // the first margin for what scrolls inside of the page, the second for the page
    return new IntersectionObserver(noted, { scrollMargin: AHEAD, rootMargin: AHEAD });
  }

  async #work(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      for (let next = this.#next(); next; next = this.#next()) await this.#colour(next);
    } finally {
      this.#busy = false;
    }
  }

  /** What came near last: the reader may have moved on from what did before. */
  #next(): Element | undefined {
    return [...this.#near].reverse().find((element) => !this.#isSelected(element));
  }

  /** New nodes in it would lose what somebody has selected. */
  #isSelected(element: Element): boolean {
    const selection = document.getSelection();
    this.#selects ??= selection?.isCollapsed === false;
    return this.#selects && selection?.containsNode(element, true) === true;
  }

  async #colour(element: Element): Promise<void> {
    const code = this.#wanted.get(element);
    const runs = code ? await this.#reader.read(code).catch(() => null) : null;
    if (code !== this.#wanted.get(element)) return;
    // somebody has begun to select in it: later, it is remembered
    if (this.#isSelected(element)) return;
    this.forget(element);
    if (code && runs) paint(element, code.text, runs);
  }
}

function isHuge(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return true;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines > MOST_LINES;
}

function paint(element: Element, text: string, runs: Runs): void {
  const pieces: Node[] = [];
  let at = 0;
  for (let run = 0; run < runs.length; run += 2) {
    const end = at + (runs[run] ?? 0);
    const piece = document.createTextNode(text.slice(at, end));
    const name = classes[runs[run + 1] ?? 0];
    at = end;
    if (!name) pieces.push(piece);
    else pieces.push(coloured(piece, name));
  }
  element.replaceChildren(...pieces);
}

function coloured(piece: Text, name: string): HTMLElement {
  const span = document.createElement('span');
  span.className = name;
  span.append(piece);
  return span;
}
