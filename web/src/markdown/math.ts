/**
 * TeX in Markdown: `$ $`, `$$ $$`, `\( \)`, `\[ \]` and LaTeX's display environments, as marked extensions that
 * run before marked's own escape rule. The hard part is what a dollar means; the rules are pandoc's, plus what
 * people write next to CJK text and about money. No formula spans a blank line (TeX forbids it too), so a
 * paragraph that is complete never changes its meaning later.
 */
import type { MarkedExtension, Tokens } from 'marked';

/** A formula as written: `raw` with its delimiters, `tex` without. */
export interface FormulaToken extends Tokens.Generic {
  type: 'formula' | 'formulaBlock';
  tex: string;
  display: boolean;
}

/** Where display math can begin that may still be open at the end of a growing text. */
export const DISPLAY_OPENER = /\$\$|\\\[|\\begin\{/;

const NEWLINE = String.raw`\n(?![ \t]*(?:\n|$))`;
/** Between `$`s. A backtick ends it, because code binds tighter; `\$` does not. */
const DOLLAR_BODY = String.raw`(?:\\[^\n]|[^$\x60\\\n]|${NEWLINE})+?`;
const DOLLARS_BODY = String.raw`(?:\\[^\n]|\\(?=\n)|[^$\x60\\\n]|\$(?!\$)|\n(?![ \t]*\n))+?`;
/** Between `\(` or `\[` and its end; another such delimiter inside ends the attempt, so a scan is never repeated. */
const SLASH_BODY = String.raw`(?:[^\\\x60\n]|\\[^()[\]\n]|\\(?=\n)|\n(?![ \t]*\n))+?`;
/** The environments KaTeX knows outside of other math. */
const ENVIRONMENT = String.raw`\\begin\{((?:equation|align|alignat|gather|multline|CD)\*?)\}`;
const ENVIRONMENT_BODY = String.raw`(?:(?!\\begin\{\1\})[^\n]|\n(?![ \t]*\n))*?`;

/** A word character next to a dollar makes it a price or a variable; CJK letters do not: 中文$x$中文. */
const WORD = String.raw`[\p{sc=Latin}\d$]`;
const IS_WORD = new RegExp(WORD, 'u');
const DOLLAR = new RegExp(String.raw`^\$(?![\s$])(${DOLLAR_BODY})(?<!\s)\$(?!${WORD}|\{)`, 'u');
const DOLLARS = new RegExp(String.raw`^\$\$(?!\$)(${DOLLARS_BODY})\$\$(?!\$)`);
const PAREN = new RegExp(String.raw`^\\\((${SLASH_BODY})\\\)`);
const BRACKET = new RegExp(String.raw`^\\\[(${SLASH_BODY})\\\](?!\()`);
const ENVIRONMENT_WHOLE = new RegExp(String.raw`^${ENVIRONMENT}${ENVIRONMENT_BODY}\\end\{\1\}`);
const OPEN_BLOCK = new RegExp(
  String.raw`^ {0,3}(?:\$\$(?!\$)|\\\[|${ENVIRONMENT})(?:[^\n]|\n(?![ \t]*\n))*$`,
);
const BLOCK_START = /\n {0,3}(?:\$\$|\\\[|\\begin\{)/;

const PURE_NUMBER = /^\d[\d.,]*(?:[kKmMbBtT]|bn|%)?$/;
const TEX_COMMANDS = /\\[A-Za-z]+(?:\s*\{[^{}]*\})*/g;
const PROSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]|\p{L}{3}|\s\p{L}{2}\s/u;

/** `$20$` and `$5 today, not 6$` are money; `$5 \times 3 = 15$` and `$4ac$` are not. */
function isMoney(tex: string): boolean {
  if (!/^\d/.test(tex)) return false;
  return PURE_NUMBER.test(tex) || PROSE.test(tex.replace(TEX_COMMANDS, ' '));
}

/** `\[1\]` and `\[ \]` are escaped brackets (a citation, a box to tick), not display math. */
const isBracketText = (tex: string): boolean => /^(?:\d+|[xX]|\s*)$/.test(tex);

type Match = Pick<FormulaToken, 'raw' | 'tex' | 'display'>;

function matchDisplay(source: string): Match | undefined {
  const bracket = BRACKET.exec(source);
  if (bracket?.[1] && !isBracketText(bracket[1])) return { raw: bracket[0], tex: bracket[1], display: true };
  const dollars = DOLLARS.exec(source);
  if (dollars?.[1]?.trim()) return { raw: dollars[0], tex: dollars[1], display: true };
  return undefined;
}

/** The formula `source` begins with, if it does; `before` is the character ahead of it. */
export function matchInline(source: string, before: string): Match | undefined {
  const display = matchDisplay(source);
  if (display) return display;
  const paren = PAREN.exec(source);
  if (paren?.[1]?.trim()) return { raw: paren[0], tex: paren[1], display: false };
  const dollar = IS_WORD.test(before) ? null : DOLLAR.exec(source);
  if (dollar?.[1] && !isMoney(dollar[1])) return { raw: dollar[0], tex: dollar[1], display: false };
  return undefined;
}

/** Display math that has its lines to itself. */
function matchBlock(source: string): Match | undefined {
  const indent = /^ {0,3}/.exec(source)?.[0] ?? '';
  const rest = source.slice(indent.length);
  const environment = ENVIRONMENT_WHOLE.exec(rest)?.[0];
  const match = environment ? { raw: environment, tex: environment, display: true } : matchDisplay(rest);
  const end = match && /^[ \t]*(?:\n+|$)/.exec(rest.slice(match.raw.length));
  return match && end ? { ...match, raw: indent + match.raw + end[0] } : undefined;
}

/** True where all of `source` is display math whose end has not arrived yet. */
export function isOpenBlock(source: string): boolean {
  const rest = source.trimStart();
  return OPEN_BLOCK.test(source) && !matchDisplay(rest) && !ENVIRONMENT_WHOLE.test(rest);
}

export const math: MarkedExtension = {
  tokenizer: {
    // a heading of several lines ends where display math interrupts it, as a paragraph does
    lheading(source) {
      return BLOCK_START.test(this.rules.block.lheading.exec(source)?.[0] ?? '') ? undefined : false;
    },
  },
  extensions: [
    {
      name: 'formula',
      level: 'inline',
      start: (source) => {
        const at = source.search(/\$|\\[([]/);
        return at < 0 ? undefined : at;
      },
      tokenizer(source, tokens) {
        if (source[0] !== '$' && source[0] !== '\\') return undefined;
        const match = matchInline(source, tokens.at(-1)?.raw.at(-1) ?? '');
        return match && { type: 'formula', ...match };
      },
    },
    {
      name: 'formulaBlock',
      level: 'block',
      start: (source) => {
        // a paragraph ends at a blank line, so nothing beyond it can interrupt this one
        const blank = source.indexOf('\n\n');
        const at = (blank < 0 ? source : source.slice(0, blank)).search(BLOCK_START);
        return at < 0 ? undefined : at;
      },
      tokenizer(source) {
        const match = matchBlock(source);
        return match && { type: 'formulaBlock', ...match };
      },
    },
  ],
};
