import { expect, test } from 'vitest';
import { programsIn, runsUnknown } from './wrapped-programs.ts';

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

/** `?` stands for a word that is known only when it runs. */
const read = (text: string) => text.split(' ').map((word) => (word === '?' ? null : word));

test.each([
  ...['? push', '?', 'sudo ?', 'env -i A=b ? push', 'timeout 5 nice -n 3 ? x', 'sudo env ?', 'xargs -n 1 ?'],
  ...['sh', '/bin/bash', 'bash -s x', 'zsh -', 'sudo -u x sh', 'dash -x', 'bash -es', 'fish'],
])('what %s runs is known only then', (text) => {
  expect(runsUnknown(read(text))).toBe(true);
});

test.each([
  ...['git ?', 'sudo git ?', 'env A=b make ?', 'find . -exec rm ?', 'timeout 5 node ?', 'bash -c x ?'],
  ...['bash x.sh', 'bash --version', 'sh -c ls', 'xargs -I{} cp {} ?', 'echo sh', 'sudo -n true'],
])('what %s runs is known', (text) => {
  expect(runsUnknown(read(text))).toBe(false);
});
