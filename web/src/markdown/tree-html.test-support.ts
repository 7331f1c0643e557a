/** A tree as HTML, for tests to read: formulas and code as the elements that first show them. */
import type { Tree, TreeFormula, TreeNode } from './tree.ts';

const EMPTY = new Set(['br', 'hr', 'input']);

type Show = (formula: TreeFormula) => string;
const showSource: Show = ({ source }) => `<span data-source>${escapeHtml(source)}</span>`;

export const treeHtml = (tree: Tree, show: Show = showSource): string =>
  tree.map((node) => nodeHtml(node, show)).join('');

export const formulasIn = (tree: Tree): TreeFormula[] =>
  tree.flatMap((node) => {
    if (typeof node === 'string' || node.kind === 'code') return [];
    return node.kind === 'formula' ? [node] : formulasIn(node.children);
  });

function nodeHtml(node: TreeNode, show: Show): string {
  if (typeof node === 'string') return escapeHtml(node);
  if (node.kind === 'formula') return show(node);
  if (node.kind === 'code') return `<code>${escapeHtml(node.text)}</code>`;
  const attributes = Object.entries(node.attributes).map(([name, value]) =>
    value === '' ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`,
  );
  const start = `<${node.tag}${attributes.join('')}>`;
  return EMPTY.has(node.tag) ? start : `${start}${treeHtml(node.children, show)}</${node.tag}>`;
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
