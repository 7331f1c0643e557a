import { expect, test } from 'vitest';
import { parseQuery } from './query.ts';
import { shortTermsOf } from './short-terms.ts';
import { snippetOf } from './snippet.ts';

test.each([
  ['one two', { grams: '"one" AND "two"', terms: null }],
  ['"one two"  three', { grams: '"one two" AND "three"', terms: null }],
  ['“数据库 迁移”', { grams: '"数据库 迁移"', terms: null }],
  ['部署', { grams: null, terms: '"部署"' }],
  ['部', { grams: null, terms: '"部" *' }],
  ['Go 部署失败', { grams: '"部署失败"', terms: '"go"' }],
  ['say "hi" x"y', { grams: '"say" AND "x""y"', terms: '"hi"' }],
  ['-> ?', null],
  ['  ', null],
])('%s', (q, expected) => {
  expect(parseQuery(q)).toEqual(expected && expect.objectContaining(expected));
});

test('however many words there are, some are looked for, and none is a pattern', () => {
  const query = parseQuery([...Array(400).keys()].map((n) => `word${n}`).join(' '));
  expect(query?.every).toHaveLength(16);
  expect(parseQuery('a.*(b)+[')?.words.test('a.*(B)+[')).toBe(true);
  expect(parseQuery('a.*(b)+[')?.words.test('axxb')).toBe(false);
});

test('short terms are words of one or two letters, and pairs where words are not told apart', () => {
  expect(shortTermsOf('Go to 部署服务 at k8 in Berlin. はい go').split(' ')).toEqual([
    ...['go', 'to', '部署', '署服', '服务', '务', 'at', 'k8', 'in', 'はい', 'い'],
  ]);
});

const snippet = (text: string, q: string) => snippetOf(text, parseQuery(q)?.words ?? /$^/g);

test('a snippet is one line around the first hit, with all hits in it marked', () => {
  expect(snippet('The  deploy\nfailed: Deploy again', 'deploy')).toEqual([
    { text: 'The ', hit: false },
    { text: 'deploy', hit: true },
    { text: ' failed: ', hit: false },
    { text: 'Deploy', hit: true },
    { text: ' again', hit: false },
  ]);
  const long = `${'before '.repeat(100)}部署${' after'.repeat(100)}`;
  const parts = snippet(long, '部署');
  expect(parts.map(({ hit }) => hit)).toEqual([false, false, true, false, false]);
  expect([parts[0]?.text, parts[2]?.text, parts[4]?.text]).toEqual(['…', '部署', '…']);
  expect(parts.map(({ text }) => text).join('').length).toBeLessThan(200);
});

test('a snippet cuts no character in half, and begins at the start where nothing is seen', () => {
  const parts = snippet(`${'😀'.repeat(200)}word${'😀'.repeat(200)}`, 'word');
  expect(parts.map(({ text }) => text).join('')).not.toMatch(/\p{Cs}/u);
  expect(snippet('something else', 'word')).toEqual([{ text: 'something else', hit: false }]);
  expect(snippet('google or go', 'go').filter(({ hit }) => hit)).toEqual([{ text: 'go', hit: true }]);
});
