import { expect, test } from 'vitest';
import { titleFrom, titleOf } from './title.ts';

test('a title is one line', () => {
  expect(titleOf('  Fix \n the\tbuild ')).toBe('Fix the build');
  expect(titleOf(' \n ')).toBe(null);
  expect(titleFrom('\n\n')).toBe(null);
});

test('ten thousand characters are cut, never within one', () => {
  const long = titleOf('ab '.repeat(3_400));
  expect(long).toMatch(/^(ab )+ab…$|^(ab )+a…$/);
  expect(long?.length).toBeLessThanOrEqual(200);
  const family = '👨‍👩‍👧‍👦';
  const cut = titleOf(family.repeat(1_000)) ?? '';
  expect(cut.slice(0, -1)).toBe(family.repeat((cut.length - 1) / family.length));
  expect(titleFrom('word '.repeat(2_000))).toBe(`${'word '.repeat(9)}wo…`);
  expect(titleFrom(`${' '.repeat(10_000)}late`)).toBe('late');
});
