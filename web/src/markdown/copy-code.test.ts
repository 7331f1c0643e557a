// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copyCode } from './copy-code.ts';
import { lex } from './lexer.ts';
import { renderBlock } from './render.ts';
import { treeHtml } from './tree-html.test-support.ts';

const CODE = '## Heading\n```ruby\nputs "hi" && x < 1\n```\n**not bold**';

beforeEach(() => {
  vi.useFakeTimers();
  const [block] = lex(`\`\`\`\`md\n${CODE}\n\`\`\`\``, Object.create(null), false);
  document.body.innerHTML = block ? treeHtml(renderBlock(block, false)) : '';
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});

const button = (): Element => {
  const found = document.querySelector('[data-copy]');
  if (!found) throw new Error('no Copy button');
  return found;
};

test('O-C3: Copy puts exactly the content on the clipboard, says so, and is Copy again', async () => {
  const writeText = vi.fn(async (_text: string) => undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  await copyCode(button());
  expect(writeText.mock.calls).toEqual([[CODE]]);
  expect(button().textContent).toBe('Copied');
  vi.runAllTimers();
  expect(button().textContent).toBe('Copy');
});

test('without a clipboard, and where the old way fails too, it says that', async () => {
  vi.stubGlobal('navigator', {});
  document.execCommand = () => false;
  await copyCode(button());
  expect(button().textContent).toBe('Not copied');
});

test('a click elsewhere copies nothing', async () => {
  const writeText = vi.fn(async (_text: string) => undefined);
  vi.stubGlobal('navigator', { clipboard: { writeText } });
  await copyCode(document.body);
  expect(writeText).not.toHaveBeenCalled();
});
