/** What people look for: words that all have to be there, in any order; between quotation marks, exactly that. */
import { isWholeWord, shortQuery } from './short-terms.ts';

export type Query = {
  /** For FTS5; null: there is nothing for this table to find. */
  grams: string | null;
  terms: string | null;
  /** Finds all the words in a text. */
  words: RegExp;
  /** Each of them by itself. */
  every: RegExp[];
};

/** Beyond these nobody looks for anything. */
const MOST_WORDS = 16;

/** null: there is nothing in it that could be found. */
export function parseQuery(q: string): Query | null {
  const words = wordsOf(q);
  const long = words.filter((word) => [...word].length >= 3);
  const short = words.filter((word) => [...word].length < 3);
  const terms = short.map(shortQuery).filter((query) => query !== null);
  if (long.length === 0 && terms.length === 0) return null;
  return {
    grams: joined(long.map((word) => `"${word.replaceAll('"', '""')}"`)),
    terms: joined(terms),
    words: new RegExp(words.map(patternOf).join('|'), 'giu'),
    every: words.map((word) => new RegExp(patternOf(word), 'iu')),
  };
}

function wordsOf(q: string): string[] {
  // SQLite ends a text at its first NUL
  const found = q.replaceAll('\0', ' ').matchAll(/"([^"]+)"|“([^”]+)”|(\S+)/g);
  const words = [...found].map(([, quoted, curly, word]) => (quoted ?? curly ?? word ?? '').trim());
  return [...new Set(words.filter(Boolean))].slice(0, MOST_WORDS);
}

function joined(queries: readonly string[]): string | null {
  return queries.length === 0 ? null : queries.join(' AND ');
}

function patternOf(word: string): string {
  const pattern = word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return isWholeWord(word) ? `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])` : pattern;
}
