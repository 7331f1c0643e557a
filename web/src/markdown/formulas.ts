/**
 * The formulas of the page. Each is shown as its source until KaTeX has typeset it. KaTeX comes with the first one,
 * and never works longer than a part of a frame at a time: a message with hundreds is readable at once.
 */
import type { TreeFormula } from './tree.ts';

/** Milliseconds of a frame that KaTeX may take. */
const SHARE_OF_FRAME = 8;

type Typeset = (formula: TreeFormula) => string | undefined;
type Waiting = { readonly place: HTMLElement; readonly formula: TreeFormula };

export class Formulas {
  readonly #load: () => Promise<Typeset>;
  #loading: Promise<void> | undefined;
  #typeset: Typeset | undefined;
  #waiting: Waiting[] = [];
  #scheduled = false;

  constructor(load: () => Promise<Typeset>) {
    this.#load = load;
  }

  /** Its element: the source now, the formula as soon as may be. */
  element(formula: TreeFormula): HTMLElement {
    const place = document.createElement('span');
    place.setAttribute('data-source', '');
    place.append(formula.source);
    this.#waiting.push({ place, formula });
    if (!this.#typeset) this.#fetch();
    // before the next paint: what is written while one looks is never seen as its source first
    else if (!this.#scheduled) queueMicrotask(() => this.#work());
    this.#scheduled = true;
    return place;
  }

  #fetch(): void {
    this.#loading ??= this.#load()
      // cannot be fetched: sources it is, until the page is loaded anew
      .catch((): Typeset => () => undefined)
      .then((typeset) => {
        this.#typeset = typeset;
        this.#work();
      });
  }

  #work(): void {
    const end = performance.now() + SHARE_OF_FRAME;
    let done = 0;
    for (const { place, formula } of this.#waiting) {
      if (performance.now() > end) break;
      this.#fill(place, formula);
      done++;
    }
    this.#waiting = this.#waiting.slice(done);
    this.#scheduled = this.#waiting.length > 0;
    if (this.#scheduled) requestAnimationFrame(() => this.#work());
  }

  #fill(place: HTMLElement, formula: TreeFormula): void {
    const html = this.#typeset?.(formula);
    if (html === undefined) return;
    // KaTeX's own elements around escaped text: see `typeset.ts`
    place.innerHTML = html;
    place.removeAttribute('data-source');
  }
}
