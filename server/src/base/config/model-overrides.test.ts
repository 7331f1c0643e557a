import { expect, test } from 'vitest';
import { readLayer } from './config-layer.ts';
import { readModelOverrides, readPrices } from './model-overrides.ts';

const of = (table: unknown) => readLayer({ from: 'config.toml', table, folder: '/' }).settings;

test('what is known otherwise about a model', () => {
  const table = {
    context_window: 8000,
    effective_context_window_percent: 90,
    efforts: ['low', 'high'],
    default_effort: 'low',
    verbosity: 'low',
    service_tiers: ['flex'],
    responses_lite: true,
    images: false,
    tool_style: 'function',
  };
  expect(readModelOverrides(of({ tscodex: { models: { 'my-model': table } } }))).toEqual({
    'my-model': {
      ...{ contextWindow: 8000, effectiveContextWindowPercent: 90, efforts: ['low', 'high'] },
      ...{ defaultEffort: 'low', verbosity: 'low', serviceTiers: ['flex'], responsesLite: true },
      ...{ images: false, toolStyle: 'function' },
    },
  });
  expect(readModelOverrides(of({}))).toEqual({});
});

test('prices: cached input costs as much as other unless it says so', () => {
  const prices = {
    'gpt-5': { input: 1.25, cached_input: 0.125, output: 10 },
    local: { input: 1, output: 2 },
  };
  expect(readPrices(of({ tscodex: { currency: 'EUR', prices } }))).toEqual({
    currency: 'EUR',
    models: {
      'gpt-5': { input: 1.25, cachedInput: 0.125, output: 10 },
      local: { input: 1, cachedInput: 1, output: 2 },
    },
  });
  expect(readPrices(of({}))).toEqual({ currency: 'USD', models: {} });
});

test.each([
  { models: { m: { context_window: 0 } } },
  { models: { m: { effective_context_window_percent: 101 } } },
  { models: { m: { tool_style: 'xml' } } },
  { prices: { m: { input: -1, output: 1 } } },
  { prices: { m: { input: 1 } } },
  { prices: { m: { input: Number.NaN, output: 1 } } },
])('%j is refused', (tscodex) => {
  expect(() => of({ tscodex })).toThrow('tscodex.');
});
