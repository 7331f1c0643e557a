/** The piece of a text that shows what was found in it. */
import type { SearchHit } from '@tscodex/shared/catalog';

const BEFORE = 40;
const LENGTH = 180;

type Snippet = SearchHit['snippet'];

/** One line around the first of the words, with each of them marked; the beginning where none is seen. */
export function snippetOf(text: string, words: RegExp): Snippet {
  const first = text.search(words);
  const from = first <= BEFORE ? 0 : onLetter(text, first - BEFORE);
  const to = onLetter(text, Math.min(text.length, from + LENGTH));
  const piece = text.slice(from, to).replace(/\s+/g, ' ');
  const parts: Snippet = [];
  let at = 0;
  for (const { 0: hit, index } of piece.matchAll(words)) {
    if (index > at) parts.push({ text: piece.slice(at, index), hit: false });
    parts.push({ text: hit, hit: true });
    at = index + hit.length;
  }
  if (at < piece.length || parts.length === 0) parts.push({ text: piece.slice(at), hit: false });
  return withEllipses(parts, from > 0, to < text.length);
}

function withEllipses(parts: Snippet, before: boolean, after: boolean): Snippet {
  const ellipsis = { text: '…', hit: false };
  return [...(before ? [ellipsis] : []), ...parts, ...(after ? [ellipsis] : [])];
}

/** Not between the halves of one character. */
function onLetter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
