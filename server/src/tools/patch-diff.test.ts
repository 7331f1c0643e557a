import { expect, test } from 'vitest';
import { fileDiff } from './patch-diff.ts';

const diff = (before: string | null, after: string | null) =>
  fileDiff(before === null ? null : Buffer.from(before), after === null ? null : Buffer.from(after));

test('a change shows its hunks with three lines of context', () => {
  const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ''].join('\n');
  expect(diff(before, before.replace('5', 'five'))).toBe(
    '@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8',
  );
});

test('a file that appears or goes shows all of its lines', () => {
  expect(diff(null, 'a\nb\n')).toBe('@@ -0,0 +1,2 @@\n+a\n+b');
  expect(diff('a\nb', null)).toBe('@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file');
  expect(diff(null, '')).toBe('');
});

test('O-A1, O-A2: one changed line shows as one, whatever the endings', () => {
  const changed = (text: string) => text.split('\n').filter((line) => /^[+-]/.test(line));
  expect(changed(diff('foo\r\nbar\r\nbaz\r\n', 'foo\r\nBAR\r\nbaz\r\n'))).toEqual(['-bar\r', '+BAR\r']);
  expect(changed(diff('line1\nline2\nline3', 'LINE1\nline2\nline3'))).toEqual(['-line1', '+LINE1']);
});

test('a rewritten file is shown without searching for what is common', () => {
  const lines = (mark: string) => Array.from({ length: 3000 }, (_, i) => `${mark}${i}\n`).join('');
  const text = diff(lines('a'), lines('b'));
  expect(text.slice(0, 30)).toBe('@@ -1,3000 +1,3000 @@\n-a0\n-a1\n');
  expect(text.split('\n')).toHaveLength(6001);
});

test('a long diff is cut at a line, saying how much is missing', () => {
  const text = diff(null, `${'x'.repeat(99)}\n`.repeat(1000));
  expect(text.length).toBeLessThan(65 * 1024);
  expect(text.split('\n').at(-1)).toBe('\\ 352 more lines');
});

test('what is no text is only named', () => {
  expect(diff(null, 'a\0b')).toBe('\\ Binary file');
});
