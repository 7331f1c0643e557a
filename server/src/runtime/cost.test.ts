import { expect, test } from 'vitest';
import { NO_USAGE } from '../session/usage-tally.ts';
import { costOf } from './cost.ts';

const prices = {
  currency: 'EUR',
  models: {
    'gpt-5': { input: 2, cachedInput: 0.5, output: 10 },
    'gpt-5-mini': { input: 1, cachedInput: 1, output: 1 },
  },
};
const million = { ...NO_USAGE, inputTokens: 1_000_000, totalTokens: 1_000_000 };

test('what was cached has its own price, reasoning is part of the output, the longest name counts', () => {
  const large = { ...million, cachedInputTokens: 600_000, outputTokens: 100_000, reasoningTokens: 90_000 };
  const total = new Map([
    ['gpt-5.5', large],
    ['openai/gpt-5-mini', million],
  ]);
  const turn = new Map([['openai/gpt-5-mini', million]]);
  expect(costOf({ turn, total }, prices)).toEqual({
    cost: { currency: 'EUR', turn: 1, total: 0.4 * 2 + 0.6 * 0.5 + 0.1 * 10 + 1 },
  });
});

test('where one model has no price there is no cost, but its name', () => {
  const total = new Map([
    ['gpt-5', million],
    ['house-model', million],
    ['__proto__', million],
  ]);
  expect(costOf({ turn: total, total }, prices)).toEqual({ unpriced: ['house-model', '__proto__'] });
});

test('without prices nothing is said of cost', () => {
  const total = new Map([['gpt-5', million]]);
  expect(costOf({ turn: total, total }, { currency: 'USD', models: {} })).toEqual({});
});

test('more from the cache than went in costs no less than nothing', () => {
  const odd = { ...million, cachedInputTokens: 5_000_000 };
  const total = new Map([['gpt-5', odd]]);
  expect(costOf({ turn: total, total }, prices).cost?.total).toBe(0.5);
});
