import { expect, test } from 'vitest';
import { contextLeft, usableWindow } from './catalog.ts';

test('a model is known by its longest prefix', () => {
  expect(usableWindow('gpt-5.5')).toBe(258_400);
  expect(usableWindow('openai/gpt-5-codex')).toBe(258_400);
  expect(usableWindow('gpt-oss-120b')).toBe(124_518);
  expect(usableWindow('a/b/gpt-5')).toBeUndefined();
  expect(usableWindow('')).toBeUndefined();
});

test('the configured window wins', () => {
  expect(usableWindow('gpt-5.5', 8000)).toBe(7600);
  expect(usableWindow('unheard-of', 100_000)).toBe(95_000);
});

test('what is left counts from the baseline, in whole percent', () => {
  expect(contextLeft(0, 112_000)).toBe(100);
  expect(contextLeft(12_000, 112_000)).toBe(100);
  expect(contextLeft(62_000, 112_000)).toBe(50);
  expect(contextLeft(111_000, 112_000)).toBe(1);
  expect(contextLeft(500_000, 112_000)).toBe(0);
  expect(contextLeft(0, 12_000)).toBe(0);
  // half a percent goes to the even neighbour
  expect(contextLeft(12_500, 112_000)).toBe(100);
  expect(contextLeft(13_500, 112_000)).toBe(98);
});
