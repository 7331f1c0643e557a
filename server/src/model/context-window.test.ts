import { expect, test } from 'vitest';
import { modelFacts } from './catalog.ts';
import { contextLeft, usableWindow } from './context-window.ts';

test('of a window its effective share is used', () => {
  expect(usableWindow(modelFacts('gpt-5.5'))).toBe(258_400);
  expect(usableWindow(modelFacts('gpt-oss-120b'))).toBe(124_518);
  expect(usableWindow(modelFacts('', { a: {} }, { contextWindow: 8000 }))).toBe(7600);
  expect(usableWindow(modelFacts('unheard-of'))).toBeUndefined();
});

test('what is left counts from the baseline, in whole percent', () => {
  expect(contextLeft(0, 112_000)).toBe(100);
  expect(contextLeft(12_000, 112_000)).toBe(100);
  expect(contextLeft(62_000, 112_000)).toBe(50);
  expect(contextLeft(111_000, 112_000)).toBe(1);
  expect(contextLeft(500_000, 112_000)).toBe(0);
  expect(contextLeft(0, 12_000)).toBe(100);
  expect(contextLeft(6000, 8000)).toBe(25);
  expect(contextLeft(0, 0)).toBe(0);
  // half a percent goes to the even neighbour
  expect(contextLeft(12_500, 112_000)).toBe(100);
  expect(contextLeft(13_500, 112_000)).toBe(98);
});
