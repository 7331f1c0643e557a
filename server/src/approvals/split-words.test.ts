import { expect, test } from 'vitest';
import { splitWords } from './split-words.ts';

test.each<[string, string[] | null]>([
  ['git status', ['git', 'status']],
  [' a  b\n', ['a', 'b']],
  ['a "b c"d \'e "f\'', ['a', 'b cd', 'e "f']],
  ['a "" \'\'', ['a', '', '']],
  ['a\\ b "\\"\\$\\n"', ['a b', '"$\\n']],
  ['a\\\nb "c\\\nd"', ['ab', 'cd']],
  ['a#b # c\nd', ['a#b', 'd']],
  ['', []],
  ['a "b', null],
  ["a 'b", null],
  ['a \\', null],
])('%j', (text, words) => expect(splitWords(text)).toEqual(words));
