// @vitest-environment happy-dom
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { GrowingMarkdown } from './blocks.ts';
import { CodeColours } from './code-colours.ts';
import { Formulas } from './formulas.ts';
import { lex } from './lexer.ts';
import { type Helpers, patch } from './patch.ts';
import { renderBlock } from './render.ts';
import { element, type Tree, type TreeCode } from './tree.ts';

class Uncoloured extends CodeColours {
  wanted: string[] = [];
  override want(_element: HTMLElement, { text }: { text: string }): void {
    this.wanted.push(text);
  }
}
const never = new Promise<never>(() => undefined);

function helpers(): Helpers & { colours: Uncoloured } {
  const reader = { known: () => undefined, read: async () => null };
  return { formulas: new Formulas(() => never), colours: new Uncoloured(reader) };
}

/** One block that grows through all prefixes. */
function grow(text: string, step: number, onStep?: (place: HTMLElement) => void) {
  const growing = new GrowingMarkdown({ lex, render: renderBlock });
  const places: HTMLElement[] = [];
  const shown: Tree[] = [];
  const help = helpers();
  const show = (part: string, more: boolean) => {
    for (const [at, block] of growing.update(part, more).flat().entries()) {
      const place = places[at] ?? document.createElement('div');
      places[at] = place;
      patch(place, shown[at] ?? [], block.tree, help);
      shown[at] = block.tree;
    }
    if (places[0]) onStep?.(places[0]);
  };
  for (let end = step; end < text.length; end += step) show(text.slice(0, end), true);
  show(text, false);
  const html = growing
    .update(text, false)
    .flat()
    .map((_, at) => places[at]?.innerHTML);
  return { html, places, wanted: help.colours.wanted };
}

const pieces = [
  'word ',
  '\n',
  '\n\n',
  '# Title\n',
  '- item\n',
  '- [ ] task\n',
  '1. one\n',
  '> quote\n',
  '```js\n',
  '```\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '$x^2$ ',
  '**bold',
  '** ',
  '*em* ',
  '`code` ',
  '[a](http://x.y) ',
  '===\n',
  '    code\n',
  '&amp; ',
  '\\* ',
];

test('what grew is what would have been made at once', () => {
  const source = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 14 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(source, fc.integer({ min: 1, max: 9 }), (text, step) => {
      expect(grow(text, step).html).toEqual(grow(text, text.length + 1).html);
    }),
    { numRuns: 150 },
  );
});

describe('nodes stay', () => {
  test('the text of a paragraph that grows is one node, only ever added to', () => {
    const changes = vi.spyOn(CharacterData.prototype, 'replaceData');
    const texts = new Set<Node | null | undefined>();
    grow('a paragraph that grows word by word', 3, (place) =>
      texts.add(place.querySelector('p')?.firstChild),
    );
    expect(texts.size).toBe(1);
    expect(changes).not.toHaveBeenCalled();
    changes.mockRestore();
  });

  test('a mark that closes leaves what is before it alone', () => {
    const first = new Set<Node | null | undefined>();
    const { html } = grow('before **bold** after', 1, (place) =>
      first.add(place.querySelector('p')?.firstChild),
    );
    expect(html).toEqual(['<p>before <strong>bold</strong> after</p>']);
    expect(first.size).toBe(1);
  });

  test('rows and items that are there stay the same elements', () => {
    const rows = new Set<Node | null>();
    grow('| a |\n|---|\n| 1 |\n| 2 |\n| 3 |\n', 4, (place) => rows.add(place.querySelector('tbody tr')));
    expect([...rows].filter(Boolean)).toHaveLength(1);
  });
});

describe('a browser that translates what is shown', () => {
  const paragraph = (text: string): Tree => [element('p', [text])];

  test('has its elements replaced where the text changes', () => {
    const place = document.createElement('div');
    const font = document.createElement('font');
    font.append('one two');
    patch(place, [], paragraph('eins zwei'), helpers());
    place.querySelector('p')?.replaceChildren(font);
    patch(place, paragraph('eins zwei'), paragraph('eins zwei drei'), helpers());
    expect(place.innerHTML).toBe('<p>eins zwei drei</p>');
    const whole = document.createElement('font');
    place.replaceChildren(whole);
    patch(place, paragraph('eins zwei drei'), paragraph('eins'), helpers());
    expect(place.innerHTML).toBe('<p>eins</p>');
  });

  test('has its words in a text replaced, too', () => {
    const place = document.createElement('div');
    patch(place, [], paragraph('eins zwei'), helpers());
    (place.querySelector('p')?.firstChild as Text).data = '1';
    patch(place, paragraph('eins zwei'), paragraph('eins drei'), helpers());
    expect(place.innerHTML).toBe('<p>eins drei</p>');
  });
});

test('code that is no longer shown is no longer waited for', () => {
  const place = document.createElement('div');
  const help = helpers();
  const forget = vi.spyOn(help.colours, 'forget');
  const code: TreeCode = { kind: 'code', text: 'let a', language: 'js', whole: true };
  const item: Tree = [element('ul', [element('li', [code])])];
  patch(place, [], item, help);
  const shown = place.querySelector('code');
  patch(place, item, [element('p', ['x'])], help);
  expect(forget).toHaveBeenCalledWith(shown);
  patch(place, [element('p', ['x'])], [element('p', ['x']), ...item], help);
  const last = place.querySelector('code');
  patch(place, [element('p', ['x']), ...item], [element('p', ['x'])], help);
  expect(forget).toHaveBeenCalledWith(last);
});

describe('Q24: code is handed on to be coloured when its fence has ended', () => {
  test('and never while it grows', () => {
    const early: string[] = [];
    const text = '```js\nlet a = 1;\nlet b = 2;\n```\n';
    const growing = new GrowingMarkdown({ lex, render: renderBlock });
    const help = helpers();
    const place = document.createElement('div');
    let shown: Tree = [];
    const show = (part: string, more: boolean) => {
      const tree = growing.update(part, more).flat()[0]?.tree ?? [];
      patch(place, shown, tree, help);
      shown = tree;
    };
    for (let end = 1; end <= text.length; end++) show(text.slice(0, end), true);
    early.push(...help.colours.wanted);
    show(`${text}\nNext`, true);
    expect(early).toEqual([]);
    expect(help.colours.wanted).toEqual(['let a = 1;\nlet b = 2;']);
  });

  test('also inside of a list that goes on, and where the answer ends with it', () => {
    expect(grow('1. one\n   ```js\n   a\n   ```\n2. two', 1).wanted).toEqual(['a']);
    expect(grow('```js\nb\n```', 1).wanted).toEqual(['b']);
    expect(grow('```js\nc', 1).wanted).toEqual(['c']);
  });
});

test('the second wall: an address that leads to a script is no address', () => {
  const place = document.createElement('div');
  const link = (href: string): Tree => [element('a', ['x'], { href })];
  patch(place, [], link('https://x.y/'), helpers());
  expect(place.innerHTML).toBe('<a href="https://x.y/">x</a>');
  for (const href of ['javascript:alert(1)', ' java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x']) {
    patch(place, link('https://x.y/'), link(href), helpers());
    expect(place.innerHTML).toBe('<a>x</a>');
    place.replaceChildren();
    patch(place, [], link(href), helpers());
    expect(place.innerHTML).toBe('<a>x</a>');
  }
});
