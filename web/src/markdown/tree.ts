/**
 * What a block of Markdown looks like, as data: between the parser (`render.ts`) and the page (`patch.ts`). It can
 * say nothing but these elements with these attributes, and every string in it is text: whatever a message holds,
 * no HTML of it is ever read as HTML.
 */

export type Tag =
  | `h${3 | 4 | 5 | 6}`
  | 'a'
  | 'blockquote'
  | 'br'
  | 'button'
  | 'code'
  | 'del'
  | 'div'
  | 'em'
  | 'hr'
  | 'input'
  | 'li'
  | 'ol'
  | 'p'
  | 'pre'
  | 'span'
  | 'strong'
  | 'table'
  | 'tbody'
  | 'td'
  | 'th'
  | 'thead'
  | 'tr'
  | 'ul';

/** None of them runs anything; `href` is judged where it is written and again where it is set. */
export type Attribute =
  | 'align'
  | 'aria-label'
  | 'aria-pressed'
  | 'checked'
  | 'disabled'
  | 'href'
  | 'rel'
  | 'start'
  | 'tabindex'
  | 'target'
  | 'title'
  | 'type'
  | `data-${'code' | 'copy' | 'image' | 'scroll' | 'source' | 'tools' | 'wrap'}`;

export type Attributes = { readonly [Name in Attribute]?: string };

export interface TreeElement {
  readonly kind: 'element';
  readonly tag: Tag;
  readonly attributes: Attributes;
  readonly children: Tree;
}

/** TeX, shown as its source until it is typeset (`formulas.ts`). */
export interface TreeFormula {
  readonly kind: 'formula';
  readonly tex: string;
  readonly display: boolean;
  /** As it was written, with its delimiters. */
  readonly source: string;
}

/** What stands in a fence, coloured once it is whole (`code-colours.ts`). */
export interface TreeCode {
  readonly kind: 'code';
  readonly text: string;
  /** As it was written: whatever follows the fence. */
  readonly language: string;
  /** Nothing that arrives later can be added to it. */
  readonly whole: boolean;
}

export type TreeNode = string | TreeElement | TreeFormula | TreeCode;
export type Tree = readonly TreeNode[];

export const element = (tag: Tag, children: Tree = [], attributes: Attributes = {}): TreeElement => ({
  kind: 'element',
  tag,
  attributes,
  children,
});
