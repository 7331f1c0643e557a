import { tokensOfText } from './context-size.ts';

/** What says that something is missing takes room itself. */
const MARK_TOKENS = 12;

/** The beginning and the end of a text that is longer than about `tokens`, with words for what is between them. */
export function cutMiddle(text: string, tokens: number): string {
  const all = tokensOfText(text);
  if (all <= tokens) return text;
  // by characters: a text has as many tokens in each of them, about
  const kept = Math.floor((text.length * Math.max(tokens - MARK_TOKENS, 0)) / all / 2);
  const head = text.slice(0, kept).replace(/[\uD800-\uDBFF]$/, '');
  const tail = text.slice(text.length - kept).replace(/^[\uDC00-\uDFFF]/, '');
  return `${head}\n[… about ${all - tokens} tokens left out …]\n${tail}`;
}
