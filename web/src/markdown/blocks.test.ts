import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Block, type Grammar, GrowingMarkdown } from './blocks.ts';
import { lex } from './lexer.ts';

/** Tokens stand for HTML here: equal tokens render equally. */
const grammar: Grammar = {
  lex,
  render: (token) => ({ html: JSON.stringify(token), formulas: [] }),
};

const html = (blocks: readonly (readonly Block[])[]) => blocks.flat().map((block) => block.html);
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
