/**
 * What trigrams cannot find: words of one or two letters, and one or two characters of the scripts that are written
 * without spaces, where two are a word. Each text has such terms beside its trigrams.
 */

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}';
const RUNS = new RegExp(`([${UNSPACED}ー]+)|[\\p{L}\\p{N}]+`, 'gu');

const SPACED = new RegExp(`^(?:(?![${UNSPACED}])[\\p{L}\\p{N}])+$`, 'u');

/** All terms of a text, each once, with spaces between. */
export function shortTermsOf(text: string): string {
  const terms = new Set<string>();
  for (const [run, unspaced] of text.matchAll(RUNS)) {
    if (unspaced === undefined) {
      if (run.length <= 2) terms.add(run.toLowerCase());
      continue;
    }
    let before = '';
    for (const letter of unspaced) {
      if (before) terms.add(before + letter);
      before = letter;
    }
    terms.add(before);
  }
  return [...terms].join(' ');
}

/** A short word is found as a whole, but where words are not told apart. */
export function isWholeWord(word: string): boolean {
  return [...word].length < 3 && SPACED.test(word);
}

/** The query that finds a word shorter than a trigram; null: it has no letter. */
export function shortQuery(word: string): string | null {
  const parts = [...word.matchAll(RUNS)].map(([run, unspaced]) =>
    // one such character begins a pair, or ends its text
    unspaced !== undefined && [...run].length === 1 ? `"${run}" *` : `"${run.toLowerCase()}"`,
  );
  return parts.length === 0 ? null : parts.join(' AND ');
}
