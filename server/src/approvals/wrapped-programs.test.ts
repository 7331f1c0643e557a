import { expect, test } from 'vitest';
import { programsIn } from './wrapped-programs.ts';

const many = Array.from({ length: 100_000 }, () => 'x');

test('of a program that starts others, not all words are looked at from each of its words on', () => {
  const found = programsIn(['sudo', ...many]);
  expect(found[0]).toHaveLength(1 + many.length);
  const looked = found.reduce((sum, { length }) => sum + length, 0);
  expect(looked).toBeLessThan(4 * many.length);
});

test('of one that starts none all words are looked at', () => {
  expect(programsIn(['rm', ...many, '-rf'])).toEqual([['rm', ...many, '-rf']]);
});

test.each([
  ['taskset 1 git push'],
  ['chrt -f 1 git push'],
  ['systemd-run --user git push'],
  ['runuser -u x git push'],
  ['xvfb-run git push'],
])('%s starts git', (text) => {
  expect(programsIn(text.split(' '))).toContainEqual(['git', 'push']);
});
