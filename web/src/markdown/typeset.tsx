/** Formulas with KaTeX. With its fonts and styles it is the heaviest part of the page, and comes with the first formula. */
import { useRef } from 'react';
import type { Block } from './blocks.ts';
import { fillFormulas, formulaHtml } from './formula-html.ts';
import { Html } from './html.tsx';
import type { Formula } from './render.ts';

/** Formulas a block keeps, so that one being written is not typeset anew at each character. */
const KEPT_FORMULAS = 200;

/** A block with its formulas typeset. */
export function TypesetBlock({ block }: { block: Block }) {
  const kept = useRef(new Map<string, string | undefined>());
  const typeset = (formula: Formula) => typesetOnce(formula, kept.current);
  return <Html html={fillFormulas(block.html, block.formulas, typeset)} />;
}

function typesetOnce(formula: Formula, kept: Map<string, string | undefined>): string | undefined {
  const key = `${formula.display}:${formula.tex}`;
  if (!kept.has(key)) {
    if (kept.size >= KEPT_FORMULAS) kept.clear();
    kept.set(key, formulaHtml(formula));
  }
  return kept.get(key);
}
