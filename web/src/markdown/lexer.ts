/** Our Markdown: GitHub's flavour with formulas and CJK emphasis, and without HTML. */
import { Hooks, Lexer, Marked, type MarkedExtension, type Token, type TokensList } from 'marked';
import { emStrong, maskEmphasis } from './emphasis.ts';
import { isOpenBlock, math } from './math.ts';

/** Link reference definitions by label: `[label]: href "title"`. */
export type Links = TokensList['links'];

/** HTML in a message is text. Only `<br>` counts: a table's cell has no other way to break a line. */
const LINE_BREAK = /^<br\s*\/?>/i;
/** To marked a footnote's text is a link's definition, and would vanish. */
const FOOTNOTE = /^ {0,3}\[\^/;

const withoutHtml: MarkedExtension = {
  tokenizer: {
    html: () => undefined,
    tag(source) {
      const raw = LINE_BREAK.exec(source)?.[0];
      return raw
        ? { type: 'html', raw, text: raw, inLink: false, inRawBlock: false, block: false }
        : undefined;
    },
    def: (source) => (FOOTNOTE.test(source) ? undefined : false),
  },
};

/** Display math that is still being written: shown as its source, not as the lists and rules it may look like. */
const openFormula: MarkedExtension = {
  extensions: [
    {
      name: 'openFormula',
      level: 'block',
      tokenizer(source, tokens) {
        const open = this.lexer instanceof MessageLexer && this.lexer.isOpenEnd(source, tokens);
        return open ? { type: 'openFormula', raw: source } : undefined;
      },
    },
  ],
};

// marked tries the extension added last first: a whole formula before an open one
export const marked = new Marked({ gfm: true }, openFormula, math, withoutHtml, { tokenizer: { emStrong } });

class MessageLexer extends Lexer {
  readonly #growing: boolean;
  #inline = '';

  constructor(links: Links, growing: boolean) {
    super({ ...marked.defaults });
    this.tokens.links = links;
    this.#growing = growing;
    // the text as written, because marked hands its hook a copy with the escapes already gone
    this.options.hooks = Object.assign(new Hooks(), {
      emStrongMask: (masked: string) => maskEmphasis(this.#inline, masked),
    });
  }

  isOpenEnd(source: string, tokens: Token[]): boolean {
    return this.#growing && tokens === this.tokens && isOpenBlock(source);
  }

  override inlineTokens(source: string, tokens?: Token[]): Token[] {
    this.#inline = source;
    return super.inlineTokens(source, tokens);
  }
}

/**
 * The blocks of `source`. Definitions already in `links` are known, new ones are added to it. `growing`: more
 * text may follow.
 */
export function lex(source: string, links: Links, growing: boolean): Token[] {
  return new MessageLexer(links, growing).lex(source);
}
