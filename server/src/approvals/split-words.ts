/** Splits a command written as one text into words, as Codex does with the examples in rules. */

const PIECE = /[^\s'"\\]+|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|\s+/y;

/** Quotes and backslashes as in a POSIX shell, a `#` before a word begins a comment. Null where a quote is open. */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  for (PIECE.lastIndex = 0; PIECE.lastIndex < text.length; ) {
    const piece = PIECE.exec(text)?.[0];
    if (piece === undefined) return null;
    if (/^\s/.test(piece)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (word === null && piece.startsWith('#')) {
      const newline = text.indexOf('\n', PIECE.lastIndex);
      PIECE.lastIndex = newline === -1 ? text.length : newline;
    } else word = (word ?? '') + unquoted(piece);
  }
  return word === null ? words : [...words, word];
}

function unquoted(piece: string): string {
  if (piece.startsWith("'")) return piece.slice(1, -1);
  if (piece.startsWith('"')) return piece.slice(1, -1).replace(/\\([$`"\\]|\n)/g, (_, kept) => kept.trim());
  return piece.startsWith('\\') ? piece.slice(1).replace('\n', '') : piece;
}
