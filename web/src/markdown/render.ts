/**
 * One block to HTML. What is written here is safe by itself: HTML in the source has become text in the lexer, every
 * text is escaped, links lead to the web alone, images are not loaded. `sanitize.ts` then checks that it is so.
 * Formulas are left as spans that show their source; KaTeX's HTML is put in their place later (`typeset.tsx`).
 */
import { Marked, type MarkedExtension, Renderer, type Token } from 'marked';
import { t } from '../messages/messages.ts';
import { type FormulaToken, isFormula } from './math.ts';

/** A formula of a block; its number is the `data-formula` of its place in the HTML. */
export type Formula = Pick<FormulaToken, 'tex' | 'display'>;

export interface Rendered {
  readonly html: string;
  readonly formulas: readonly Formula[];
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const formulaPlace = (token: FormulaToken & { index?: number }): string =>
  `<span data-formula="${token.index}">${escapeHtml(token.raw.trim())}</span>`;

const formulas: MarkedExtension = {
  extensions: [
    { name: 'formula', renderer: (token) => formulaPlace(token as FormulaToken) },
    { name: 'formulaBlock', renderer: (token) => `<p>${formulaPlace(token as FormulaToken)}</p>` },
    {
      name: 'openFormula',
      renderer: (token) => `<p><span data-source>${escapeHtml(token.raw.trim())}</span></p>`,
    },
  ],
};

const elements: MarkedExtension = {
  renderer: {
    code({ text, lang }) {
      const language = /^\S*/.exec(lang ?? '')?.[0] ?? '';
      return (
        `<div data-code><div><span>${escapeHtml(language)}</span>` +
        `<button type="button" data-copy>${t('markdown.copy')}</button></div>` +
        `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>`
      );
    },
    // the page and its parts have the two levels above
    heading({ depth, tokens }) {
      const level = Math.min(depth + 2, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    checkbox({ checked }) {
      const label = checked ? t('markdown.done') : t('markdown.open');
      return `<input type="checkbox" disabled${checked ? ' checked' : ''} aria-label="${label}"> `;
    },
    table(token) {
      return `<div data-scroll tabindex="0">${Renderer.prototype.table.call(this, token)}</div>`;
    },
    html: () => '<br>', // the lexer lets nothing else through
    link({ href, title, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = linkTarget(href);
      return target ? `<a ${target}${title ? ` title="${escapeHtml(title)}"` : ''}>${text}</a>` : text;
    },
    // a link, because an image that loads by itself tells its owner who reads the message, and when
    image({ href, text }) {
      const name = escapeHtml(t('markdown.image', { name: text || href }));
      const target = linkTarget(href);
      return target ? `<a data-image ${target} title="${escapeHtml(href)}">${name}</a>` : name;
    },
  },
};

/** The attributes of a link to `href`, if it leads to the web, a mailbox or a place relative to the page. */
function linkTarget(href: string): string | undefined {
  const address = href.replaceAll('&amp;', '&');
  // browsers skip blanks and control characters in a scheme; an entity in it is up to no good
  const [, scheme, end] = /^([a-z][a-z\d+.-]*)([:&])/i.exec(address.replace(/[\p{Cc}\s]/gu, '')) ?? [];
  if (scheme && !(end === ':' && /^(?:https?|mailto)$/i.test(scheme))) return undefined;
  return `href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer"`;
}

const marked = new Marked({ gfm: true }, formulas, elements);

/** The block's HTML and the formulas it has places for. */
export function renderBlock(block: Token): Rendered {
  const found: Formula[] = [];
  marked.walkTokens([block], (token) => {
    if (isFormula(token)) token.index = found.push({ tex: token.tex, display: token.display }) - 1;
  });
  return { html: marked.parser([block]), formulas: found };
}
