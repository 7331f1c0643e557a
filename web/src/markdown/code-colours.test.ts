// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CodeColours, type ReadsCode } from './code-colours.ts';
import type { Runs } from './code-reader.ts';
import type { TreeCode } from './tree.ts';

type Seen = { target: Element; isIntersecting: boolean };
let look: (seen: Seen[]) => void;
const observed = new Set<Element>();

beforeEach(() => {
  observed.clear();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(callback: (seen: Seen[]) => void) {
        look = callback;
      }
      observe = (element: Element) => observed.add(element);
      unobserve = (element: Element) => observed.delete(element);
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

const code = (text: string): TreeCode => ({ kind: 'code', text, language: 'js', whole: true });

function block(text: string): HTMLElement {
  const made = document.createElement('code');
  made.append(text);
  document.body.append(made);
  return made;
}

/** Reads when told to: everything is a keyword. */
function slowReader() {
  const asked: { text: string; answer: (runs: Runs | null) => void }[] = [];
  const reader: ReadsCode = {
    known: () => undefined,
    read: ({ text }) => new Promise((answer) => asked.push({ text, answer })),
  };
  return { reader, asked, answer: () => asked.at(-1)?.answer([asked.at(-1)?.text.length ?? 0, 2]) };
}
const near = (element: Element) => look([{ target: element, isIntersecting: true }]);
const coloured = (element: Element) => element.querySelector('span')?.textContent ?? null;

test('nothing is read of a block that is out of view', async () => {
  const { reader, asked, answer } = slowReader();
  const colours = new CodeColours(reader);
  const first = block('a');
  colours.want(first, code('a'));
  look([{ target: first, isIntersecting: false }]);
  expect(asked).toEqual([]);
  near(first);
  expect(asked.map(({ text }) => text)).toEqual(['a']);
  answer();
  await vi.waitFor(() => expect(coloured(first)).toBe('a'));
  expect(observed.size).toBe(0);
});

test('one after the other, what came near last first', async () => {
  const { reader, asked, answer } = slowReader();
  const colours = new CodeColours(reader);
  const blocks = ['a', 'b', 'c'].map(block);
  for (const element of blocks) colours.want(element, code(element.textContent ?? ''));
  blocks.forEach(near);
  for (const text of ['a', 'c', 'b']) {
    await vi.waitFor(() => expect(asked.at(-1)?.text).toBe(text));
    answer();
  }
  await vi.waitFor(() => expect(blocks.map(coloured)).toEqual(['a', 'b', 'c']));
  expect(asked).toHaveLength(3);
});

test('the text stays what it was, to the character', async () => {
  const text = '<img src=x onerror=alert(1)>\n\t&amp; "é😀"  ';
  const reader: ReadsCode = { known: () => [5, 1, 8, 0, 3, 4, text.length - 16, 0], read: async () => null };
  const element = block(text);
  new CodeColours(reader).want(element, code(text));
  expect(element.textContent).toBe(text);
  expect(element.querySelector('img')).toBeNull();
  expect(element.querySelectorAll('span')).toHaveLength(2);
});

test('what is gone, or was changed meanwhile, is left alone', async () => {
  const { reader, answer } = slowReader();
  const colours = new CodeColours(reader);
  const gone = block('a');
  colours.want(gone, code('a'));
  near(gone);
  colours.forget(gone);
  answer();
  await Promise.resolve();
  expect(gone.innerHTML).toBe('a');
  expect(observed.size).toBe(0);
});

test('a block that cannot be read stays plain, and the others are read all the same', async () => {
  const read = vi.fn(async ({ text }: TreeCode): Promise<Runs> => {
    if (text === 'b') throw new Error('no worker may be started');
    return [text.length, 2];
  });
  const colours = new CodeColours({ known: () => undefined, read });
  const blocks = ['a', 'b', 'c'].map(block);
  for (const element of blocks) colours.want(element, code(element.textContent ?? ''));
  blocks.forEach(near);
  await vi.waitFor(() => expect(blocks.map(coloured)).toEqual(['a', null, 'c']));
  expect(read).toHaveBeenCalledTimes(3);
  expect(observed.size).toBe(0);
});

test('a selection in the block is not lost to the colours: they wait', async () => {
  const { reader, asked, answer } = slowReader();
  const colours = new CodeColours(reader);
  const element = block('abc');
  colours.want(element, code('abc'));
  near(element);
  const selecting = vi.spyOn(document, 'getSelection');
  selecting.mockReturnValue({ isCollapsed: false, containsNode: () => true } as unknown as Selection);
  document.dispatchEvent(new Event('selectionchange'));
  answer();
  await new Promise((done) => setTimeout(done));
  expect(element.innerHTML).toBe('abc');
  selecting.mockRestore();
  document.dispatchEvent(new Event('selectionchange'));
  await vi.waitFor(() => expect(asked).toHaveLength(2));
  answer();
  await vi.waitFor(() => expect(coloured(element)).toBe('abc'));
});

test('no language, and a block that is huge: plain, and never looked at again', () => {
  const { reader } = slowReader();
  const colours = new CodeColours(reader);
  colours.want(block('a'), { ...code('a'), language: '' });
  colours.want(block('a'), code('x'.repeat(200_001)));
  colours.want(block('a'), code('x\n'.repeat(4_000)));
  expect(observed.size).toBe(0);
  colours.want(block('a'), code('x\n'.repeat(3_999)));
  expect(observed.size).toBe(1);
});
