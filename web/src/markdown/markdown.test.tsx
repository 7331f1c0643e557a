// @vitest-environment happy-dom
import { flushSync } from 'react-dom';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Markdown } from './markdown.tsx';

let page: HTMLElement;
let root: Root;

beforeEach(() => {
  Object.defineProperty(document, 'compatMode', { value: 'CSS1Compat', configurable: true });
  page = document.createElement('div');
  root = createRoot(page);
});

afterEach(() => root.unmount());

const show = (text: string, streaming = false): void =>
  root.render(<Markdown text={text} streaming={streaming} />);

const waitUntil = (condition: () => boolean): Promise<true> =>
  vi.waitFor(
    () => {
      if (!condition()) throw new Error(page.innerHTML);
      return true;
    },
    { timeout: 20_000 },
  );
const shown = (selector: string): Promise<true> => waitUntil(() => page.querySelector(selector) !== null);

test('the text is there at once, Markdown as soon as its parser is', async () => {
  flushSync(() => show('a **b**'));
  expect(page.textContent).toBe('a **b**');
  await shown('strong');
  expect(page.textContent?.trim()).toBe('a b');
});

test('a delta touches only the end', async () => {
  show('one\n\ntwo\n\nthree **3**\n\nfo', true);
  await shown('strong');
  const before = [...page.querySelectorAll('p')];
  show('one\n\ntwo\n\nthree **3**\n\nfour', true);
  await waitUntil(() => page.textContent?.includes('four') === true);
  const after = [...page.querySelectorAll('p')];
  expect(after.map((paragraph) => paragraph.textContent)).toEqual(['one', 'two', 'three 3', 'four']);
  expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
  for (const at of [0, 1, 2]) expect(after[at]).toBe(before[at]);
});

test('formulas are typeset when KaTeX has come, money never', async () => {
  show('It is $x^2$, not $5 or $6.');
  await shown('.katex');
  expect(page.querySelectorAll('.katex')).toHaveLength(1);
  expect(page.textContent).toContain('not $5 or $6.');
});
