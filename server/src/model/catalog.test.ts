import { expect, test } from 'vitest';
import { contextLeft, modelFacts } from './catalog.ts';

test('a model is known by its longest prefix', () => {
  expect(modelFacts('gpt-5.5')).toEqual({ contextWindow: 258_400, defaultEffort: 'medium' });
  expect(modelFacts('openai/gpt-5-codex').contextWindow).toBe(258_400);
  expect(modelFacts('gpt-oss-120b').contextWindow).toBe(124_518);
  expect(modelFacts('a/b/gpt-5')).toEqual({ contextWindow: undefined, defaultEffort: undefined });
  expect(modelFacts('')).toEqual({ contextWindow: undefined, defaultEffort: undefined });
});

test('the configured window wins', () => {
  expect(modelFacts('gpt-5.5', { contextWindow: 8000 }).contextWindow).toBe(7600);
  expect(modelFacts('unheard-of', { contextWindow: 100_000 }).contextWindow).toBe(95_000);
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
