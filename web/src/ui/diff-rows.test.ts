import { expect, test } from 'vitest';
import { parseDiff } from './diff-rows.ts';

test('numbers come from the hunk headers', () => {
  const diff = ['@@ -41,3 +41,3 @@ def rate', ' keep', '-old', '+new', ' last', ''].join('\n');
  expect(parseDiff(diff)).toEqual({
    added: 1,
    removed: 1,
    rows: [
      { kind: 'context', before: 41, after: 41, text: 'keep' },
      { kind: 'delete', before: 42, text: 'old' },
      { kind: 'add', after: 42, text: 'new' },
      { kind: 'context', before: 43, after: 43, text: 'last' },
    ],
  });
});

test('a second hunk is a gap with its heading', () => {
  const { rows } = parseDiff('@@ -1 +1 @@\n-a\n+b\n@@ -90,1 +90,2 @@ function late()\n x\n+y');
  expect(rows.slice(2)).toEqual([
    { kind: 'gap', text: 'function late()' },
    { kind: 'context', before: 90, after: 90, text: 'x' },
    { kind: 'add', after: 91, text: 'y' },
  ]);
});

test('an added file, CRLF, blank lines and a missing newline', () => {
  expect(parseDiff('@@ -0,0 +1,3 @@\n+one\r\n+\n+\n\\ No newline at end of file\n')).toEqual({
    added: 3,
    removed: 0,
    rows: [
      { kind: 'add', after: 1, text: 'one' },
      { kind: 'add', after: 2, text: '' },
      { kind: 'add', after: 3, text: '' },
      { kind: 'remark', text: 'No newline at end of file' },
    ],
  });
});

test('lines that begin like headers stay lines', () => {
  expect(parseDiff('@@ -1,2 +1,2 @@\n--- a\n+++ b').rows).toEqual([
    { kind: 'delete', before: 1, text: '-- a' },
    { kind: 'add', after: 1, text: '++ b' },
  ]);
});

test('without any header the rows count from 1, and nothing is no rows', () => {
  expect(parseDiff('+x').rows).toEqual([{ kind: 'add', after: 1, text: 'x' }]);
  expect(parseDiff('')).toEqual({ rows: [], added: 0, removed: 0 });
});
