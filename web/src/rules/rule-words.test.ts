import { expect, test } from 'vitest';
import { lineOf, wordsOf } from './rule-words.ts';

test.each([
  ['npm run dev', ['npm', 'run', 'dev']],
  ['  npm   run ', ['npm', 'run']],
  [`git commit -m 'a b'`, ['git', 'commit', '-m', 'a b']],
  [`--format="%h %s"`, ['--format=%h %s']],
  [`'it'"'"'s'`, ["it's"]],
  ['a\\ b', ['a\\', 'b']],
  ['$HOME *', ['$HOME', '*']],
])('%s', (line, words) => {
  expect(wordsOf(line)).toEqual(words);
});

test.each(['', '  ', `npm 'run`, `npm run "`, `npm ''`])('%j is no rule yet', (line) => {
  expect(wordsOf(line)).toBeNull();
});

test('every word reads as it was written', () => {
  const words = ['npm', 'a b', "it's", 'say "hi"', `'"`, '-m', 'ü\tx'];
  expect(wordsOf(lineOf(words))).toEqual(words);
});
