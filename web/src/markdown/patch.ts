/**
 * A tree into the page. What is there already is changed as little as possible: an element stays the same element
 * while its tag does, a text that grows is added to. So a selection in it survives, and a delta costs what it brings.
 */
import type { CodeColours } from './code-colours.ts';
import { codeElement, patchCode } from './code-element.ts';
import type { Formulas } from './formulas.ts';
import { patchText } from './patch-text.ts';
import type { Attributes, Tree, TreeElement, TreeNode } from './tree.ts';

/** Who sees to what comes later than the text. */
export interface Helpers {
  formulas: Formulas;
  colours: CodeColours;
}

/** Makes what `place` holds, which is `before`, into `after`. */
export function patch(place: Node, before: Tree, after: Tree, helpers: Helpers): void {
  if (before === after) return;
  for (const [at, node] of after.entries()) {
    const old = before[at];
    const shown = place.childNodes[at];
    if (old === undefined || shown === undefined) place.appendChild(make(node, helpers));
    else if (!patchNode(shown, old, node, helpers)) replace(shown, [make(node, helpers)], helpers);
  }
  for (const extra of [...place.childNodes].slice(after.length)) replace(extra, [], helpers);
}

function replace(shown: ChildNode, by: Node[], { colours }: Helpers): void {
  shown.replaceWith(...by);
  if (shown instanceof Element) colours.forgetIn(shown);
}

/**
 * Whether `shown` could be changed from `before` to `after`. It need not be what was made of `before`: a browser
 * that translates the page puts elements of its own in the place of texts.
 */
function patchNode(shown: Node, before: TreeNode, after: TreeNode, helpers: Helpers): boolean {
  if (before === after) return true;
  if (typeof before === 'string' || typeof after === 'string') {
    if (typeof before !== 'string' || typeof after !== 'string' || !(shown instanceof Text)) return false;
    patchText(shown, before, after);
    return true;
  }
  if (!(shown instanceof HTMLElement)) return false;
  if (before.kind === 'code' && after.kind === 'code') {
    if (shown.localName !== 'code') return false;
    patchCode(shown, before, after, helpers.colours);
    return true;
  }
  if (before.kind === 'formula' && after.kind === 'formula')
    return before.source === after.source && before.display === after.display;
  if (before.kind !== 'element' || after.kind !== 'element' || before.tag !== after.tag) return false;
  if (shown.localName !== after.tag) return false;
  patchAttributes(shown, before.attributes, after.attributes);
  patch(shown, before.children, after.children, helpers);
  return true;
}

function make(node: TreeNode, helpers: Helpers): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  if (node.kind === 'formula') return helpers.formulas.element(node);
  return node.kind === 'code' ? codeElement(node, helpers.colours) : makeElement(node, helpers);
}

function makeElement({ tag, attributes, children }: TreeElement, helpers: Helpers): HTMLElement {
  const made = document.createElement(tag);
  patchAttributes(made, {}, attributes);
  for (const child of children) made.appendChild(make(child, helpers));
  return made;
}

function patchAttributes(shown: HTMLElement, before: Attributes, after: Attributes): void {
  for (const [name, value] of Object.entries(after) as [keyof Attributes, string][]) {
    if (before[name] === value) continue;
    if (name === 'href' && !isHarmless(value)) shown.removeAttribute(name);
    else shown.setAttribute(name, value);
  }
  for (const name of Object.keys(before)) if (!(name in after)) shown.removeAttribute(name);
}

/** The second wall behind `render.ts`: where the browser itself says that the address leads. */
function isHarmless(address: string): boolean {
  try {
    return ['http:', 'https:', 'mailto:'].includes(new URL(address, document.baseURI).protocol);
  } catch {
    return false; // no address at all
  }
}
