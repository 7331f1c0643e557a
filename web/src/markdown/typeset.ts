/** TeX with KaTeX. With its fonts and styles it is the heaviest part of the page, and comes with the first formula. */
import katex from 'katex';
import 'katex/dist/katex.min.css';
import type { TreeFormula } from './tree.ts';

/**
 * KaTeX's HTML and MathML of a formula; nothing where it is not TeX, or more than KaTeX knows. It goes into the
 * page as it is: without trust KaTeX writes its own elements around escaped text, no link, no image, no id; and
 * cleaning its hundred elements a formula would cost more than all the rest of a message.
 */
export function typeset({ tex, display }: Pick<TreeFormula, 'tex' | 'display'>): string | undefined {
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
