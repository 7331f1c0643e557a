/**
 * A text that grows, as blocks. Its last two blocks may still change with the next characters, so those are lexed
 * again; everything before them is closed, keeps its objects, and costs nothing any more.
 */
import type { Token } from 'marked';
import type { Links } from './lexer.ts';
import { DISPLAY_OPENER } from './math.ts';
import type { Tree } from './tree.ts';

/** A block as shown. The same object comes back until it changes; `key` is its number in the text. */
export interface Block {
  readonly key: number;
  readonly tree: Tree;
}

/** How text becomes tokens and a token becomes a tree; `open`: more text may be added to its end. */
export interface Grammar {
  lex(source: string, links: Links, growing: boolean): Token[];
  render(token: Token, open: boolean): Tree;
}

/** Blocks in a chunk. A full chunk keeps its array, so that a list of thousands is compared by the dozen. */
const CHUNK = 32;
const OPEN_BLOCKS = 2;
const ENDS_BLANK = /\n[ \t]*\n[ \t]*$/;

interface OpenBlock {
  readonly token: Token;
  readonly open: boolean;
  readonly block: Block;
}

export class GrowingMarkdown {
  readonly #grammar: Grammar;
  #text = '';
  #growing = true;
  /** The text after the closed blocks, its line ends normalised. */
  #rest = '';
  /** The definitions in closed blocks, and whether there are any at all. */
  #links: Links = Object.create(null);
  #hasDefinitions = false;
  #chunks: Block[][] = [];
  #chunk: Block[] = [];
  #open: OpenBlock[] = [];
  #shown: readonly (readonly Block[])[] = [];

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
  }

  /**
   * The blocks of `text`, in chunks. A text that begins with the one before costs only its open end. A text that
   * no longer grows gives what a fresh start would give.
   */
  update(text: string, growing: boolean): readonly (readonly Block[])[] {
    if (text === this.#text && growing === this.#growing) return this.#shown;
    // compared as a whole: startsWith goes character by character, which a long text feels at every delta
    if (text.slice(0, this.#text.length) !== this.#text) this.#reset();
    this.#add(text, growing);
    // a definition may stand below closed blocks that refer to it
    if (!growing && this.#hasDefinitions && this.#countClosed() > 0) {
      this.#reset();
      this.#add(text, growing);
    }
    this.#shown = [...this.#chunks, [...this.#chunk, ...this.#open.map(({ block }) => block)]];
    return this.#shown;
  }

  #reset(): void {
    this.#text = '';
    this.#rest = '';
    this.#links = Object.create(null);
    this.#chunks = [];
    this.#chunk = [];
    this.#open = [];
  }

  #add(text: string, growing: boolean): void {
    this.#rest += normalise(text.slice(this.#text.length), this.#text.endsWith('\r'));
    this.#text = text;
    this.#growing = growing;
    // a copy, because a definition still being written must not become the known one
    const links: Links = Object.assign(Object.create(null), this.#links);
    const tokens = this.#grammar.lex(growing ? withoutLastDollars(this.#rest) : this.#rest, links, growing);
    this.#hasDefinitions = Object.keys(links).length > 0;
    const before = this.#hasDefinitions ? [] : this.#open;
    const closing = growing ? countClosing(tokens) : 0;
    const last = growing ? tokens.findLastIndex(isShown) : -1;
    let shown = 0;
    this.#open = [];
    for (const [at, token] of tokens.entries()) {
      const block = isShown(token) ? this.#block(token, at === last, before[shown++]) : undefined;
      if (at < closing) this.#close(token, block?.block);
      else if (block) this.#open.push(block);
    }
  }

  #block(token: Token, open: boolean, before: OpenBlock | undefined): OpenBlock {
    if (before && open === before.open && isSame(before.token, token)) return before;
    const key = this.#countClosed() + this.#open.length;
    return { token, open, block: { key, tree: this.#grammar.render(token, open) } };
  }

  #close(token: Token, block: Block | undefined): void {
    this.#rest = this.#rest.slice(token.raw.length);
    if (token.type === 'def') this.#links[token.tag] ??= { href: token.href, title: token.title };
    if (block) this.#chunk.push(block);
    if (this.#chunk.length < CHUNK) return;
    this.#chunks.push(this.#chunk);
    this.#chunk = [];
  }

  #countClosed(): number {
    return this.#chunks.length * CHUNK + this.#chunk.length;
  }
}

const isShown = (token: Token): boolean => token.type !== 'space' && token.type !== 'def';

/** What follows a paragraph can change its text though not its source: an indented line joins it or does not. */
const isSame = (one: Token, other: Token): boolean =>
  one.raw === other.raw && one.type === other.type && textOf(one) === textOf(other);

const textOf = (token: Token): string | undefined => ('text' in token ? token.text : undefined);

/** A `$` at the very end may begin a price, a variable or a `$$`: it is shown when the next character tells. */
function withoutLastDollars(text: string): string {
  let end = text.length;
  // no /\$+$/: it takes seconds where many of them stand before other text
  while (text[end - 1] === '$') end--;
  return text.slice(0, end);
}

/** How many tokens from the front no later text can change. */
function countClosing(tokens: readonly Token[]): number {
  let open = 0;
  let end = tokens.length;
  while (end > 0 && open < OPEN_BLOCKS) {
    end--;
    if (tokens[end]?.type !== 'space') open++;
  }
  while (end > 0 && !isBoundary(tokens, end)) end--;
  return end;
}

/** Display math alone may reach over the end of a block, but never over a blank line. */
function isBoundary(tokens: readonly Token[], end: number): boolean {
  for (const { type, raw } of tokens.slice(0, end).reverse()) {
    if (type === 'space' || ENDS_BLANK.test(raw)) return true;
    if (DISPLAY_OPENER.test(raw)) return false;
  }
  return true;
}

/** `\r\n` and `\r` as `\n`; the halves of a `\r\n` may arrive apart. */
function normalise(added: string, afterReturn: boolean): string {
  return (afterReturn && added.startsWith('\n') ? added.slice(1) : added).replace(/\r\n?/g, '\n');
}
