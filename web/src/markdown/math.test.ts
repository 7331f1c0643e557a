import { describe, expect, test } from 'vitest';
import { lex } from './lexer.ts';
import { renderBlock } from './render.ts';
import { treeHtml } from './tree-html.test-support.ts';

/** The message with `((inline))` and `[[display]]` in place of its formulas. */
function show(source: string): string {
  return lex(source, Object.create(null), false)
    .map((token) =>
      treeHtml(renderBlock(token, false), ({ tex, display }) =>
        display ? `[[${tex.trim()}]]` : `((${tex}))`,
      ),
    )
    .join('');
}

describe('formulas', () => {
  test.each([
    ['a $x+1$ b', '<p>a ((x+1)) b</p>'],
    ['a \\(x+1\\) b', '<p>a ((x+1)) b</p>'],
    ['$$\nx\n$$', '<p>[[x]]</p>'],
    ['\\[\nx\\]', '<p>[[x]]</p>'],
    ['text\n\\[\nx = y\n\\]\nmore', '<p>text</p><p>[[x = y]]</p><p>more</p>'],
    ['inline $$x$$ end', '<p>inline [[x]] end</p>'],
    ['a$$x$$', '<p>a[[x]]</p>'],
    ['$a_1$ and $b_1$', '<p>((a_1)) and ((b_1))</p>'],
    ['$a*b*c$', '<p>((a*b*c))</p>'],
    ['($x$), $y$.', '<p>(((x))), ((y)).</p>'],
    ['- item $x$\n- b', '<ul><li>item ((x))</li><li>b</li></ul>'],
    ['1. step\n   $$\n   x\n   $$', '<ol><li>step<p>[[x]]</p></li></ol>'],
    ['> $$\n> x\n> $$', '<blockquote><p>[[x]]</p></blockquote>'],
    ['**bold $x$**', '<p><strong>bold ((x))</strong></p>'],
    ['**bold $a*b$** and *c*', '<p><strong>bold ((a*b))</strong> and <em>c</em></p>'],
    ['*a \\(x*y\\) b*', '<p><em>a ((x*y)) b</em></p>'],
    ['$\\text{cost: \\$5}$', '<p>((\\text{cost: \\$5}))</p>'],
    ['$4ac$, $2\\pi r$, $10 \\text{ metres}$', '<p>((4ac)), ((2\\pi r)), ((10 \\text{ metres}))</p>'],
    ['값은 $x$입니다', '<p>값은 ((x))입니다</p>'],
    ['\\\\$x$', '<p>\\((x))</p>'],
  ])('%j', (source, html) => expect(show(source)).toBe(html));

  test('a table has its own cells', () => {
    expect(show('| a |\n|---|\n| $x$ |')).toContain('<td>((x))</td>');
  });
});

describe('dollars that are text', () => {
  test.each([
    ['It costs $5 and $6.', '<p>It costs $5 and $6.</p>'],
    ['$5-$10', '<p>$5-$10</p>'],
    ['US$5, US$6', '<p>US$5, US$6</p>'],
    ['$1,000 to $2,000 (or $3k)', '<p>$1,000 to $2,000 (or $3k)</p>'],
    ['set $HOME and $PATH', '<p>set $HOME and $PATH</p>'],
    ['$HOME/$USER', '<p>$HOME/$USER</p>'],
    ['\u0024{HOME}/\u0024{USER}', '<p>\u0024{HOME}/\u0024{USER}</p>'],
    ['a$x$ b', '<p>a$x$ b</p>'],
    ['escaped \\$x\\$', '<p>escaped $x$</p>'],
    ['`$x$`', '<p><code>$x$</code></p>'],
    ['price $a and `b$`', '<p>price $a and <code>b$</code></p>'],
    ['open $x', '<p>open $x</p>'],
    ['$$\nunfinished', '<p>$$\nunfinished</p>'],
    ['`\\(x\\)`', '<p><code>\\(x\\)</code></p>'],
    ['a \\\\(x\\\\) b', '<p>a \\(x\\) b</p>'],
    ['It is $100. Then pay $', '<p>It is $100. Then pay $</p>'],
    ['$ x $', '<p>$ x $</p>'],
    ['earned $20 (up from $15)', '<p>earned $20 (up from $15)</p>'],
    ['**$20** and **$30**', '<p><strong>$20</strong> and <strong>$30</strong></p>'],
    ['$5M–$6M', '<p>$5M–$6M</p>'],
    ['$20$ and $1,000.50$ and $5k$', '<p>$20$ and $1,000.50$ and $5k$</p>'],
    ['$5 today, not 6$.', '<p>$5 today, not 6$.</p>'],
    ['从$5涨到了8$。', '<p>从$5涨到了8$。</p>'],
    ['$a\n\nb$', '<p>$a</p><p>b$</p>'],
    ['see \\[1\\] and \\[ \\]', '<p>see [1] and [ ]</p>'],
    ['\\[text\\](address)', '<p>[text](address)</p>'],
  ])('%j', (source, html) => expect(show(source)).toBe(html));

  test.each([
    '```sh\necho $x $y\n$$\n```',
    '    $$\n    x\n    $$',
    '[a](http://x/$1/$2)',
    'see https://x.y/a$b$c ok',
  ])('in code and addresses: %j', (source) => expect(show(source)).not.toMatch(/\(\(|\[\[/));
});

test('O-C1: money and variables stay text', () => {
  const texts = [
    [
      'about $516.54 delivered. The only path under $700.',
      'about $516.54 delivered. The only path under $700.',
    ],
    ['from $5 to $10/month', 'from $5 to $10/month'],
    ['fee is $5, or $6 each', 'fee is $5, or $6 each'],
    ['Q1 ($100K), Q2 ($115K), total ($215K)', 'Q1 ($100K), Q2 ($115K), total ($215K)'],
    ['**$516.54** to **$700**', '<strong>$516.54</strong> to <strong>$700</strong>'],
    ['price $5-$10', 'price $5-$10'],
    ['set $A and $B, then `$C`', 'set $A and $B, then <code>$C</code>'],
    ['use `$HOME` and `$PATH`', 'use <code>$HOME</code> and <code>$PATH</code>'],
    ['\\$5 and \\$6', '$5 and $6'],
    ['US$20 and US$30', 'US$20 and US$30'],
    ['a single $ sign', 'a single $ sign'],
  ];
  for (const [source = '', text] of texts) expect(show(source)).toBe(`<p>${text}</p>`);
  expect(show('| a | b |\n|---|---|\n| $5 | $6 |')).toMatch(/<td>\$5<\/td>\s*<td>\$6<\/td>/);
  expect(show('```sh\necho $A $B\n```')).toContain('<code>echo $A $B</code>');
});

test('O-C1: formulas are formulas', () => {
  const texts = [
    ['$x^2$', '((x^2))'],
    ['$a$, $b$.', '((a)), ((b)).'],
    ['($a$)', '(((a)))'],
    ['中文$x^2$中文', '中文((x^2))中文'],
    ['$5 \\times 3 = 15$', '((5 \\times 3 = 15))'],
    ['$\\$10$', '((\\$10))'],
    ['$$x$$ inline', '[[x]] inline'],
  ];
  for (const [source = '', text] of texts) expect(show(source)).toBe(`<p>${text}</p>`);
  expect(show('text\n$$\nx^2\n$$\nmore')).toBe('<p>text</p><p>[[x^2]]</p><p>more</p>');
});

test('O-C2: delimiters with backslashes, underscores inside', () => {
  const texts = [
    ['so \\(a_1 + b_1\\) holds', 'so ((a_1 + b_1)) holds'],
    ['\\[ x^2 + y^2 \\]', '[[x^2 + y^2]]'],
    ['\\[\nx^2\n\\]', '[[x^2]]'],
    [
      'Vector \\(\\vec{u}\\), \\(\\vec{u}_{para}\\) and \\(\\vec{u}_{perp}\\).',
      'Vector ((\\vec{u})), ((\\vec{u}_{para})) and ((\\vec{u}_{perp})).',
    ],
    ['$A_i, A_{i+1}$ and $B_i * C_i * D$', '((A_i, A_{i+1})) and ((B_i * C_i * D))'],
    ['code `\\(x\\)` stays', 'code <code>\\(x\\)</code> stays'],
    [
      '$$\n\\text{net}_i = \\sum_{j=1}^{n} w_{ij} x_j \\\\\n& + y_j\n$$',
      '[[\\text{net}_i = \\sum_{j=1}^{n} w_{ij} x_j \\\\\n& + y_j]]',
    ],
  ];
  for (const [source = '', text] of texts) expect(show(source)).toBe(`<p>${text}</p>`);
});

test('O-C6: display math that shares its lines', () => {
  const texts = [
    [
      '$$ A = \\begin{bmatrix}\na & b \\\\\nc & d\n\\end{bmatrix} $$',
      '[[A = \\begin{bmatrix}\na & b \\\\\nc & d\n\\end{bmatrix}]]',
    ],
    [
      '$\\begin{matrix} 1 & x \\\\ 1 & y \\end{matrix}$',
      '((\\begin{matrix} 1 & x \\\\ 1 & y \\end{matrix}))',
    ],
    [
      '$$\n\\begin{align}\na &= 1 \\\\\nb &= 2\n\\end{align}\n$$',
      '[[\\begin{align}\na &= 1 \\\\\nb &= 2\n\\end{align}]]',
    ],
    ['\\begin{equation}\nE = mc^2\n\\end{equation}', '[[\\begin{equation}\nE = mc^2\n\\end{equation}]]'],
    [
      'Let $$\\begin{aligned} a &= b \\\\ &= c \\end{aligned}$$ be given.',
      'Let [[\\begin{aligned} a &= b \\\\ &= c \\end{aligned}]] be given.',
    ],
    ['$$\n\\frac{1}{', '$$\n\\frac{1}{'],
  ];
  for (const [source = '', text] of texts) expect(show(source)).toBe(`<p>${text}</p>`);
});

test('delimiters without an end cost no more than their length', () => {
  for (const opener of ['\\(', '\\[', '$$', '$', '\\begin{align}', '\n$$', '\n\\begin{align}x']) {
    const source = opener.repeat(20_000);
    const started = performance.now();
    lex(source, Object.create(null), true);
    expect(performance.now() - started).toBeLessThan(5_000);
  }
});
