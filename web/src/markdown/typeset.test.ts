import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lex } from './lexer.ts';
import { renderBlock } from './render.ts';
import { treeHtml } from './tree-html.test-support.ts';
import { typeset } from './typeset.ts';

function show(source: string): string {
  return lex(source, Object.create(null), false)
    .map((token) =>
      treeHtml(renderBlock(token, false), (formula) => typeset(formula) ?? `SOURCE ${formula.source}`),
    )
    .join('');
}
/** A tag with attributes such as KaTeX writes: quoted, and never a handler. */
const OWN_TAG = /<\/?[a-z]+(?: (?!on|id=)[a-zA-Z:-]+="[^"<>]*")*\s*\/?>/g;
const rows = (html: string): number => html.match(/<mtr>/g)?.length ?? 0;

describe('O-C6: display math that shares its lines', () => {
  test.each([
    '$$ A = \\begin{bmatrix}\na & b \\\\\nc & d\n\\end{bmatrix} $$',
    '$\\begin{matrix} 1 & x \\\\ 1 & y \\end{matrix}$',
    '$$\n\\begin{align}\na &= 1 \\\\\nb &= 2\n\\end{align}\n$$',
    'Let $$\\begin{aligned} a &= b \\\\ &= c \\end{aligned}$$ be given.',
  ])('two rows: %j', (source) => {
    expect(rows(show(source))).toBe(2);
    expect(show(source)).not.toContain('SOURCE');
  });

  test('an environment of its own', () => {
    expect(show('\\begin{equation}\nE = mc^2\n\\end{equation}')).toContain('katex-display');
  });

  test('an unfinished formula is its source', () => {
    expect(show('$$\n\\frac{1}{').trim()).toBe('<p>$$\n\\frac{1}{</p>');
  });
});

describe('what KaTeX refuses is shown as its source', () => {
  test.each([
    ['a $\\nosuch{x}$ b $y$', 'SOURCE $\\nosuch{x}$'],
    ['$x & y$', 'SOURCE $x & y$'],
    ['$\\def\\a{\\a\\a}\\a$', 'SOURCE $\\def\\a{\\a\\a}\\a$'],
  ])('%j', (source, kept) => expect(show(source)).toContain(kept));

  test('beside formulas it takes, and with no error colour', () => {
    const html = show('a $\\nosuch{x}$ b $y$');
    expect(html).toContain('<annotation encoding="application/x-tex">y</annotation>');
    expect(html).not.toMatch(/katex-error|cc0000/);
  });
});

test('TeX cannot link, load or name anything', () => {
  const html = show(
    '$\\href{javascript:alert(1)}{x}$ $\\includegraphics{http://x.y/z.png}$ $\\htmlId{root}{x}$ $\\url{http://x.y}$',
  );
  expect(html).not.toMatch(/<a |<img|\sid=|\shref=/);
});

test("whatever the TeX, the HTML is KaTeX's own", () => {
  const pieces = [
    'x',
    '<',
    '>',
    '"',
    "'",
    '&',
    '{',
    '}',
    '\\',
    ' ',
    '^',
    '_',
    '\\text{',
    '\\href{',
    '\\url{',
    '\\htmlClass{',
    '\\htmlData{',
    '\\htmlStyle{',
    '\\includegraphics{',
    '\\color{',
    '\\verb|',
    '\\def\\a{',
    '\\a',
    '<img src=x onerror=1>',
    '" onclick="1',
    '\\frac',
    '\\sqrt',
    '\\rule{1em}{1em}',
    '\\char"3C',
  ];
  const tex = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(tex, fc.boolean(), (source, display) => {
      const html = typeset({ tex: source, display }) ?? '';
      expect(html.replace(OWN_TAG, '')).not.toMatch(/[<>]/);
      expect([...html.matchAll(/ ([a-z-]+)="/gi)].map(([, name]) => name)).not.toContain('href');
      expect(html).not.toMatch(/<(?:a|img|script|iframe)\b/);
    }),
    { numRuns: 2_000 },
  );
});
