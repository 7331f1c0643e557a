import { expect, test } from 'vitest';
import { PatchEffort } from './patch-effort.ts';
import { parsePatch } from './patch-format.ts';
import { placeHunk } from './patch-match.ts';

/** Places the hunk of a patch that has just these lines. */
function place(file: string[], hunk: string[], from = 0, effort = new PatchEffort()) {
  const [section] = parsePatch(
    ['*** Begin Patch', '*** Update File: f', ...hunk, '*** End Patch'].join('\n'),
  );
  const first = section?.type === 'update' ? section.hunks[0] : undefined;
  return first && placeHunk(file, first, from, effort);
}

test('looks from where the hunk before has ended', () => {
  const file = ['a', 'b', 'a', 'b'];
  expect(place(file, ['-b'])).toMatchObject({ at: 1, free: 2 });
  expect(place(file, ['-b'], 2)).toMatchObject({ at: 3, free: 4 });
  expect(place(file, ['-b'], 4)).toEqual({ missing: ['b'], anchor: false });
});

test.each([
  ['trailing spaces', ['a  ', 'b\t'], ['-a', '-b']],
  ['indentation', ['    a', '  b'], ['-a', '-b']],
  ['dashes', ['a \u2014 b \u2212 c'], ['-a - b - c']],
  ['quotes', ['\u2018a\u2019 \u201cb\u201d'], [`-'a' "b"`]],
  ['spaces', ['a\u00a0b\u3000c'], ['-a b c']],
  ['typography on the side of the patch', ["it's a - b"], ['-it\u2019s a \u2013 b']],
])('forgives %s', (_, file, hunk) => {
  expect(place(['x', ...file], hunk)).toMatchObject({ at: 1 });
});

test('repeated lines are found where they first stand whole', () => {
  const hunk = [...'aabaaa'].map((text) => `-${text}`);
  expect(place([...'aabaabaaabaaa'], hunk)).toMatchObject({ at: 3, free: 9 });
  expect(place([...'aabaabaaabaaa'], hunk, 4)).toMatchObject({ at: 7, free: 13 });
});

test('no line is looked at more than once each way: blank lines among very many', () => {
  const hunk = [...Array.from({ length: 10_000 }, () => ' '), '-x'];
  const effort = new PatchEffort();
  expect(place(Array(200_000).fill(''), hunk, 0, effort)).toMatchObject({ anchor: false });
  // with four degrees of regard for spaces, with and without the blank lines at the hunk's end
  expect(effort.looks).toBeLessThanOrEqual(2 * 4 * 200_000);
});

test('an exact match wins over an earlier look-alike', () => {
  expect(place(['a \u2013 b', ' a - b', 'a - b ', 'a - b'], ['-a - b'])).toMatchObject({ at: 3 });
  expect(place(['a \u2013 b', ' a - b', 'a - b '], ['-a - b'])).toMatchObject({ at: 2 });
  expect(place(['a \u2013 b', ' a - b'], ['-a - b'])).toMatchObject({ at: 1 });
});

test('several anchors lead to the place, one after the other', () => {
  const file = [
    'class A:',
    '  def f():',
    '    pass',
    'class B:',
    '  def g():',
    '    pass',
    '  def f():',
    '    pass',
  ];
  expect(place(file, ['@@ class B:', '@@ def f():', '-    pass'])).toMatchObject({ at: 7 });
  expect(place(file, ['@@ class B:', '-    pass'])).toMatchObject({ at: 5 });
  expect(place(file, ['@@ class C:', '-    pass'])).toEqual({ missing: ['class C:'], anchor: true });
  expect(place(file, ['@@ class B:', '@@ class A:', '-    pass'])).toEqual({
    missing: ['class A:'],
    anchor: true,
  });
});

test('lines that are only added go below the anchor, or to the end', () => {
  expect(place(['a', 'b'], ['@@ a', '+x'])).toMatchObject({ at: 1 });
  expect(place(['a', 'b'], ['@@', '+x'])).toMatchObject({ at: 2, free: 0 });
  expect(place([], ['@@', '+x'])).toMatchObject({ at: 0 });
});

test('"End of File" takes the last occurrence and no other', () => {
  expect(place(['a', 'b', 'a'], ['-a', '*** End of File'])).toMatchObject({ at: 2 });
  expect(place(['a', 'b'], ['-a', '*** End of File'])).toEqual({ missing: ['a'], anchor: false });
});

test('blank context at the end of a hunk may be missing in the file', () => {
  expect(place(['a', 'b'], ['-b', '', ''])).toMatchObject({ at: 1, lines: [{ kind: 'remove', text: 'b' }] });
  expect(place(['b', 'c', 'b', ''], ['-b', ''])).toMatchObject({ at: 2 });
});
