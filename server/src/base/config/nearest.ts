/** The word somebody may have meant. */

/** Characters; nobody means a word that is longer. */
const LONGEST = 64;

/** Of `known` the one that is nearest to `word` by the letters that differ, at most `within` of them; else null. */
export function nearest(
  word: string,
  known: readonly string[],
  within = Number.POSITIVE_INFINITY,
): string | null {
  if (word.length > LONGEST) return null;
  const all = known.map((one) => ({ one, far: distance(word, one) })).filter(({ far }) => far <= within);
  return all.sort((a, b) => a.far - b.far)[0]?.one ?? null;
}

/** Levenshtein. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (char === b[j] ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
