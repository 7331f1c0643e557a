import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, type Grammar, GrowingMarkdown } from './blocks.ts';
import { lex } from './lexer.ts';
import { renderBlock } from './render.ts';
import { formulasIn, treeHtml } from './tree-html.test-support.ts';

/** Tokens stand for what they become: equal tokens render equally. */
const grammar: Grammar = {
  lex,
  render: (token) => [JSON.stringify(token)],
};

const html = (blocks: readonly (readonly Block[])[]) => blocks.flat().map((block) => treeHtml(block.tree));
const fresh = (text: string) => html(new GrowingMarkdown(grammar).update(text, false));

function streamed(parts: readonly string[]): string[] {
  const growing = new GrowingMarkdown(grammar);
  let text = '';
  for (const part of parts) {
    text += part;
    growing.update(text, true);
  }
  return html(growing.update(text, false));
}

const pieces = [
  'word',
  ' ',
  '\n',
  '\n\n',
  '\r\n',
  '# Title\n',
  '- item',
  '1. one\n',
  '> quote',
  '    code\n',
  '```\n',
  '```js\n',
  '~~~\n',
  '````\n',
  '| a | b |\n|---|---|\n',
  '| $5 | x |\n',
  '$$',
  '$',
  '$x^2$',
  '\\(',
  '\\)',
  '\\[',
  '\\]',
  '\n$$\n',
  '\\begin{align}\n',
  '\\end{align}\n',
  '**',
  '*',
  '_',
  '`',
  '[a]',
  '[a]: http://x.y\n',
  '[^1]: note\n',
  '---\n',
  '===\n',
  '<div>\n',
  '<br>',
  '<!--',
  '中文。',
  '  ',
];
const source = fc.array(fc.constantFrom(...pieces), { maxLength: 40 });

describe('a finished text equals a fresh render', () => {
  test('whatever the pieces it came in', () => {
    fc.assert(
      fc.property(source, (parts) => {
        expect(streamed(parts)).toEqual(fresh(parts.join('')));
      }),
      { numRuns: 2_000 },
    );
  });

  test('character by character', () => {
    fc.assert(
      fc.property(source, (parts) => {
        expect(streamed([...parts.join('')])).toEqual(fresh(parts.join('')));
      }),
      { numRuns: 300 },
    );
  });
});

const noMath = [
  'about $516.54 delivered. The only path under $700.',
  'from $5 to $10/month',
  'fee is $5, or $6 each',
  'Q1 ($100K), Q2 ($115K), total ($215K)',
  '**$516.54** to **$700**',
  'price $5-$10',
  '| a | b |\n|---|---|\n| $5 | $6 |',
  'set $A and $B, then `$C`',
  'use `$HOME` and `$PATH`',
  '```sh\necho $A $B\n```',
  '\\$5 and \\$6',
  'US$20 and US$30',
  'a single $ sign',
];

test.each(noMath)('O-C1: no flash of math in any prefix of %j', (text) => {
  const growing = new GrowingMarkdown({ lex, render: renderBlock });
  for (let length = 1; length <= text.length; length++) {
    const blocks = growing.update(text.slice(0, length), true).flat();
    expect(blocks.flatMap((block) => formulasIn(block.tree))).toEqual([]);
  }
});

test('O-C3: every prefix renders, and the whole equals a fresh render', () => {
  const text =
    'Template:\n\n````md\n## Heading\n```ruby\nputs "hi"\n```\n**not bold**\n````\n\nAfter **bold**.\n\n~~~\n```\n~~~\nend\n';
  const growing = new GrowingMarkdown({ lex, render: renderBlock });
  for (let length = 1; length <= text.length; length++) {
    const blocks = growing.update(text.slice(0, length), true).flat();
    expect(blocks.map((block) => block.key)).toEqual(blocks.map((_, at) => at));
  }
  const whole = new GrowingMarkdown({ lex, render: renderBlock }).update(text, false);
  expect(html(growing.update(text, false))).toEqual(html(whole));
});

describe('while it grows', () => {
  const show = (text: string) => {
    const growing = new GrowingMarkdown({ lex, render: renderBlock });
    return html(growing.update(text, true)).join('');
  };

  test('display math without its end is one block of source, whatever it looks like', () => {
    expect(show('so\n$$\na_1\n- b_1\n+ c\n# d')).toBe(
      '<p>so</p><p><span data-source>$$\na_1\n- b_1\n+ c\n# d</span></p>',
    );
    expect(show('\\begin{align}\na &= *b* \\\\')).toBe(
      '<p><span data-source>\\begin{align}\na &#38;= *b* \\\\</span></p>',
    );
  });

  test('a fence without its end is a code block', () => {
    expect(show('```js\nconst **a** = 1;\n')).toContain('<code>const **a** = 1;</code>');
  });

  test('a dollar waits for the character after it', () => {
    expect(show('x is $y$')).toBe('<p>x is $y</p>');
    expect(show('x is $y$.')).toContain('<span data-source>$y$</span>');
  });
});

describe('a definition below its use', () => {
  const text = 'See [a].\n\none\n\ntwo\n\nthree\n\n[a]: http://x.y/long';

  test('counts once the text is complete', () => {
    const growing = new GrowingMarkdown({ lex, render: renderBlock });
    for (let length = 1; length <= text.length; length++) growing.update(text.slice(0, length), true);
    expect(html(growing.update(text, false))[0]).toContain('<a href="http://x.y/long"');
  });

  test('is not taken before it is whole', () => {
    const growing = new GrowingMarkdown({ lex, render: renderBlock });
    growing.update('[a]: http://x', true);
    expect(html(growing.update('[a]: http://x.y\n\nSee [a].', true)).join('')).toContain('href="http://x.y"');
  });
});

describe('identity', () => {
  const paragraphs = (count: number) =>
    Array.from({ length: count }, (_, at) => `Paragraph ${at}\n\n`).join('');

  test('a closed block and a full chunk stay the same objects', () => {
    const growing = new GrowingMarkdown(grammar);
    const before = growing.update(paragraphs(100), true);
    const after = growing.update(paragraphs(101), true);
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
    for (let at = 0; at < 3; at++) expect(after[at]).toBe(before[at]);
    expect(after.flat()[97]).toBe(before.flat()[97]);
  });

  test('the same text gives the same answer', () => {
    const growing = new GrowingMarkdown(grammar);
    expect(growing.update('a', true)).toBe(growing.update('a', true));
  });

  test('another text starts anew', () => {
    const growing = new GrowingMarkdown(grammar);
    growing.update(paragraphs(10), true);
    expect(html(growing.update('other', false))).toEqual(fresh('other'));
  });
});

test('work per delta does not grow with the text', () => {
  let lexed = 0;
  let rendered = 0;
  const counting: Grammar = {
    lex: (source, links, growing) => {
      lexed += source.length;
      return lex(source, links, growing);
    },
    render: (token, open) => {
      rendered++;
      return grammar.render(token, open);
    },
  };
  const section =
    '## Title\nIntro with $x^2$ and **bold**.\n- one\n- two\n\n| a | b |\n|---|---|\n| $5 | 2 |\n\n```js\nlet a = 1;\n```\n' +
    '$$\ny = x\n$$\nEnd of section.\n\n';
  const text = section.repeat(1_300); // 200 KiB
  const growing = new GrowingMarkdown(counting);
  let worst = { lexed: 0, rendered: 0 };
  for (let length = 24; length < text.length; length += 24) {
    [lexed, rendered] = [0, 0];
    growing.update(text.slice(0, length), true);
    worst = { lexed: Math.max(worst.lexed, lexed), rendered: Math.max(worst.rendered, rendered) };
  }
  expect(worst.lexed).toBeLessThan(2 * section.length);
  expect(worst.rendered).toBeLessThanOrEqual(5);
});

test('dollars before other text do not stop the page', () => {
  const tokensOf: Grammar = { ...grammar, lex: () => [] };
  const began = performance.now();
  new GrowingMarkdown(tokensOf).update(`${'$'.repeat(50_000)}x$`, true);
  expect(performance.now() - began).toBeLessThan(2_000);
});
