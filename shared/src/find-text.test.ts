import { expect, test } from 'vitest';
import { placesOf } from './find-text.ts';

const found = (words: string, text: string) =>
  placesOf(words, text).map(({ from, to }) => text.slice(from, to));

test('in any case and script, one after another', () => {
  expect(found('error', 'Error, ERROR; terror')).toEqual(['Error', 'ERROR', 'error']);
  expect(found('会话', '这个会话，那个会话')).toEqual(['会话', '会话']);
  expect(found('ÜBER', 'über Über')).toEqual(['über', 'Über']);
  expect(found('aa', 'aaaaa')).toEqual(['aa', 'aa']);
});

test('where a letter becomes two in lower case, the places are still those of the text', () => {
  expect(found('b', 'İİb')).toEqual(['b']);
  expect(found('x', '😀İx')).toEqual(['x']);
});

test('nothing is nowhere, and there are no more than were asked for', () => {
  expect(placesOf('', 'text')).toEqual([]);
  expect(placesOf('a', 'aaaa', 2)).toHaveLength(2);
});
