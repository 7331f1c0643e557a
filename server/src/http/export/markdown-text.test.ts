import { expect, test } from 'vitest';
import { closed, code, fenced, plain, quoted, shownByTerminal } from './markdown-text.ts';

test('a fence is longer than any in the text, and ends on a line of its own', () => {
  expect(fenced('a\n')).toBe('```\na\n```');
  expect(fenced('', 'diff')).toBe('```diff\n```');
  expect(fenced('```js\nx\n````')).toBe('`````\n```js\nx\n````\n`````');
});

test('code in a line holds ticks and line ends', () => {
  expect(code('ls\n-l')).toBe('`ls -l`');
  expect(code('a `b` c')).toBe('``a `b` c``');
  expect(code('`')).toBe('`` ` ``');
  expect(code('')).toBe('` `');
});

test('words stand for themselves', () => {
  expect(plain('*Ada* <b>\n# [x](y)')).toBe('\\*Ada\\* \\<b\\> \\# \\[x\\]\\(y\\)');
  expect(quoted('a\n\nb\n')).toBe('> a\n>\n> b');
});

test.each([
  ['no fence', 'no fence'],
  ['```js\nx\n```\n', '```js\nx\n```'],
  ['```js\nx', '```js\nx\n```'],
  ['~~~~\n```\n~~~\n', '~~~~\n```\n~~~\n~~~~'],
  ['```\n```more\n', '```\n```more\n```'],
  ['``` in `line`', '``` in `line`'],
])('a fence that %j leaves open is closed', (text, expected) => {
  expect(closed(text)).toBe(expected);
});

test('of what went to a terminal the words stay', () => {
  expect(shownByTerminal('\u001b[31mred\u001b[0m\r\n1 %\r50 %\r100 %\nbell\u0007\ttab\r')).toBe(
    'red\n100 %\nbell\ttab',
  );
});
