/** What stands for a name where there is room for two letters. Pure. */
export function initials(name: string): string {
  const words = name.split(/[\s\-_.]+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const [first = name, ...others] = words;
  const last = others.at(-1);
  return `${begins(first)}${last === undefined ? '' : begins(last)}`.toLocaleUpperCase();
}

/** The first letter or digit as a reader sees it; of a name without any, its first sign. */
function begins(word: string): string {
  const signs = [...new Intl.Segmenter().segment(word)].map(({ segment }) => segment);
  return signs.find((sign) => /[\p{L}\p{N}]/u.test(sign)) ?? signs[0] ?? '';
}
