/** Formulas with KaTeX. With its fonts and styles it is the heaviest part of the page, and comes with the first formula. */
import katex from 'katex';
import 'katex/dist/katex.min.css';
import { useRef } from 'react';
import type { Block } from './blocks.ts';
import { Html } from './html.tsx';
import type { Formula } from './render.ts';
import { sanitizeFormula } from './sanitize.ts';

/** Formulas of one block whose HTML is kept, so that a block being written is not typeset anew at each character. */
const KEPT_FORMULAS = 200;

/** A block with its formulas typeset. */
export function TypesetBlock({ block }: { block: Block }) {
  const kept = useRef(new Map<string, string | undefined>());
  return <Html html={typeset(block, kept.current)} />;
}

/** The block's HTML with KaTeX's in the places of its formulas; what KaTeX refuses stays as its source. */
export function typeset({ html, formulas }: Pick<Block, 'html' | 'formulas'>, kept = new Map()): string {
  return html.replace(/<span data-formula="(\d+)">[^<]*<\/span>/g, (source, index: string) => {
    const formula = formulas[Number(index)];
    return (formula && typesetOnce(formula, kept)) ?? source;
  });
}

function typesetOnce(formula: Formula, kept: Map<string, string | undefined>): string | undefined {
  const key = `${formula.display}:${formula.tex}`;
  if (kept.size > KEPT_FORMULAS) kept.clear();
  if (!kept.has(key)) kept.set(key, toHtml(formula));
  return kept.get(key);
}

function toHtml({ tex, display }: Formula): string | undefined {
  try {
    const html = katex.renderToString(tex, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      strict: false,
      // against \def bombs and boxes that cover the page
      maxExpand: 500,
      maxSize: 20,
    });
    return sanitizeFormula(html);
  } catch {
    return undefined; // not TeX, or more than KaTeX knows: the source is the best there is to show
  }
}
