import katex from 'katex';
import 'katex/dist/katex.min.css';
import type { Formula } from './render.ts';

/**
 * KaTeX's HTML and MathML of a formula; nothing where it is not TeX, or more than KaTeX knows. It goes into the
 * page as it is: without trust KaTeX writes its own elements around escaped text, no link, no image, no id; and
 * cleaning its hundred elements a formula would cost more than all the rest of a message.
 */
export function formulaHtml({ tex, display }: Formula): string | undefined {
  try {
    return katex.renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: false,
      // against definitions that explode and boxes that cover the page (in em)
      maxExpand: 500,
      maxSize: 20,
    });
  } catch {
    return undefined; // the source is shown in its place, which says more than an error would
  }
}

/** A block's HTML with `typeset`'s in the places of its formulas; those it has nothing for stay as their source. */
export const fillFormulas = (
  html: string,
  formulas: readonly Formula[],
  typeset: (formula: Formula) => string | undefined,
): string =>
  html.replace(/<span data-formula="(\d+)">[^<]*<\/span>/g, (source, index: string) => {
    const formula = formulas[Number(index)];
    return (formula && typeset(formula)) ?? source;
  });
