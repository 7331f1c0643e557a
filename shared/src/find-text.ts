/**
 * Finding words in text, whatever their case, in any script. Pure, and the same on both sides: what the server has
 * found the page can mark.
 */

/** Where something stands in a text: from, and up to but without. */
export type Span = { from: number; to: number };

/** In the form in which it is compared. */
export function folded(text: string): string {
  return text.toLowerCase();
}

/** Every place of `words` in `text` that does not overlap the one before, at most `limit`. */
export function placesOf(words: string, text: string, limit = Number.POSITIVE_INFINITY): Span[] {
  const wanted = folded(words);
  if (wanted === '') return [];
  const within = folded(text);
  const origin = within.length === text.length ? null : originsOf(text);
  const found: Span[] = [];
  for (let at = within.indexOf(wanted); at >= 0 && found.length < limit; ) {
    const end = at + wanted.length;
    found.push(origin ? { from: origin[at] ?? 0, to: origin[end] ?? text.length } : { from: at, to: end });
    at = within.indexOf(wanted, end);
  }
  return found;
}

/** Of each unit of the folded text, where it comes from: `İ` alone becomes two. */
function originsOf(text: string): number[] {
  const origins: number[] = [];
  let at = 0;
  for (const character of text) {
    for (let unit = folded(character).length; unit > 0; unit--) origins.push(at);
    at += character.length;
  }
  return [...origins, at];
}
