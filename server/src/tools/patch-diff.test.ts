import { expect, test } from 'vitest';
import { cutDiff, fileDiff, isCut, isOnlyNamed } from './patch-diff.ts';
import { PatchEffort } from './patch-effort.ts';

type Text = string | Uint8Array;
const diff = (before: Text | null, after: Text | null, effort = new PatchEffort()) =>
  fileDiff(before === null ? null : Buffer.from(before), after === null ? null : Buffer.from(after), effort);

/** All lines out, all lines in. */
const isAtOnce = (text: string) => !text.includes('\n ');

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
  const whole = diff(null, `${'x'.repeat(99)}\n`.repeat(1000));
  expect(whole.split('\n')).toHaveLength(1001);
  const text = cutDiff(whole, 64 * 1024);
  expect(text.length).toBeLessThan(65 * 1024);
  expect(text.split('\n').at(-1)).toBe('\\ 352 more lines');
  expect([isCut(whole), isCut(text), isCut('+\\ 352 more lines')]).toEqual([false, true, false]);
});

test('the diffs of a patch have a bound together', () => {
  const effort = new PatchEffort();
  const long = `${'x'.repeat(99)}\n`.repeat(6000);
  expect([diff(null, long, effort), diff(null, long, effort)].map(isCut)).toEqual([false, true]);
});

test('what two versions have in common is looked for only so long, all files together', () => {
  const effort = new PatchEffort();
  const lines = (count: number) => Array.from({ length: count }, (_, i) => `${i}\n`);
  const before = lines(50_000);
  const after = before.map((line, i) => (i % 500 === 0 ? `new ${line}` : line));
  const whole = () => diff(before.join(''), after.join(''), effort).startsWith('@@ -1,50000 +1,50000');
  // 200 edits between a little over 100,000 lines: the hundred million comparisons are enough for four
  expect(Array.from({ length: 5 }, whole)).toEqual([false, false, false, false, true]);
});

test('many files with many edits each cost no more than few', () => {
  const effort = new PatchEffort();
  const before = Array.from({ length: 1200 }, (_, i) => `${i}\n`);
  const after = before.map((line, i) => (i % 3 === 0 ? `new ${line}` : line));
  const whole = Array.from({ length: 30 }, () => isAtOnce(diff(before.join(''), after.join(''), effort)));
  expect(whole.filter((at) => !at)).toHaveLength(14);
});

test('what a patch writes is shown whatever it is, NUL and all', () => {
  expect(diff(null, 'a\0b\ntouch evil\n')).toBe('@@ -0,0 +1,2 @@\n+a\0b\n+touch evil');
  expect(diff('a\0b\n', 'a\0c\n')).toBe('@@ -1,1 +1,1 @@\n-a\0b\n+a\0c');
  expect(diff(null, '\0'.repeat(99))).toContain('+\0\0');
});

test('what is no text is only named where it goes', () => {
  const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13, 0xff]);
  expect(diff(picture, null)).toBe('\\ Binary file of 9 bytes');
  expect(isOnlyNamed(diff(picture, null))).toBe(true);
  const text = `${'x'.repeat(99)}\0\n`;
  expect(diff(text, null)).toBe(`@@ -1,1 +0,0 @@\n-${text.trimEnd()}`);
});
