/**
 * The words of a rule as a person edits them in one line: separated by blanks, in quotes where a word holds some.
 * Nothing in them is expanded, as nothing in a rule is. Pure.
 */

const WORD = /(?:[^\s'"]|'[^']*'|"[^"]*")+/g;
const PIECE = /'([^']*)'|"([^"]*)"/g;

/** null while there is no word, or a quote is open. */
export function wordsOf(text: string): string[] | null {
  const words = text.match(WORD) ?? [];
  // what is left over is a quote that nothing closes
  if (words.length === 0 || text.replace(WORD, '').trim() !== '') return null;
  const read = words.map((word) => word.replace(PIECE, (_, single = '', double = '') => single + double));
  return read.every((word) => word !== '') ? read : null;
}

/** The line that reads as these words. */
export function lineOf(words: readonly string[]): string {
  return words.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (word !== '' && !/[\s'"]/.test(word)) return word;
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
