import { expect, test } from 'vitest';
import { readLayout, shareByKey } from './board-layout.ts';

test.each([
  ['ArrowLeft', 38, 40],
  ['ArrowRight', 38, 36],
  ['ArrowLeft', 69, 70],
  ['ArrowRight', 21, 20],
  ['Home', 38, 20],
  ['End', 38, 70],
  ['a', 38, null],
])('%s at %d %% leads to %j', (key, share, next) => {
  expect(shareByKey(key, share)).toBe(next);
});

test.each([
  [null, 38, false],
  ['{"share":50,"collapsed":true}', 50, true],
  ['{"share":1000}', 70, false],
  ['{"share":"wide","collapsed":1}', 38, false],
  ['{"sha', 38, false],
  ['null', 38, false],
])('what is remembered as %j is %d %%, collapsed: %j', (text, share, collapsed) => {
  expect(readLayout(text)).toEqual({ share, collapsed });
});
