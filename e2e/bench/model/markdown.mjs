/** What the page measurement streams: prose, formulas, code, tables and lists, over and over. */

/** The last words of every document: once they are on the page, all of it is. */
export const LAST_WORDS = 'That was the last section.';

/** @param {number} size characters, about @returns {string} */
export function markdownDocument(size) {
  let text = '';
  for (let n = 1; text.length < size; n++) text += section(n);
  return text + LAST_WORDS;
}

function section(n) {
  return [
    `## Section ${n}`,
    `Some prose with **bold**, \`code\`, a price of $5 and a [link](https://example.org/${n}). The agent reads a file, edits it, runs the tests and reports what changed.`,
    `A formula in a line, $a_${n}^2 + b^2 = c^2$, and one of its own:`,
    `$$\\int_0^{${n}} e^{-x^2}\\,dx = \\frac{\\sqrt{\\pi}}{2}\\,\\mathrm{erf}(${n})$$`,
    [
      '```ts',
      ...times(12, (k) => `export const value${n}_${k} = compute(${k}, 'step'); // line ${k}`),
      '```',
    ],
    [
      '| file | lines | status |',
      '|---|---:|---|',
      ...times(6, (k) => `| src/part${k}.ts | ${k * 37 + n} | ok |`),
    ],
    ['- [x] first', '- [ ] second', '  - nested, with `code`'],
    '> A quoted line.\n\n',
  ]
    .map((block) => (Array.isArray(block) ? block.join('\n') : block))
    .join('\n\n');
}

function times(count, make) {
  return Array.from({ length: count }, (_, k) => make(k));
}
