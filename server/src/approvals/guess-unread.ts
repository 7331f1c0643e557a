/** Guesses what a text would run that the grammar is not asked about: it is too long or not what it looks like. */

/** Characters that are looked at. */
const LIMIT = 256 * 1024;

/** What stands before a program without being one. */
const BEFORE = /^(then|do|else|elif|if|while|until|time|!|\{|[A-Za-z_]\w*=.*)$/;

/** The words of each piece between operators and line ends, without quotes. It sees more programs than there are. */
export function guessUnread(text: string): string[][] {
  return text
    .slice(0, LIMIT)
    .split(/[\n;|&()`]/)
    .map((piece) => {
      const words = piece.split(/\s+/).map((word) => word.replace(/["'\\]/g, ''));
      const named = words.filter((word) => word !== '');
      const first = named.findIndex((word) => !BEFORE.test(word));
      return first === -1 ? [] : named.slice(first);
    })
    .filter((words) => words.length > 0);
}
