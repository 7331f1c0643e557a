import table from '@tscodex/prompts/models.json';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { modelFacts } from './catalog.ts';

const UNKNOWN = {
  effectivePercent: 95,
  reasoningSummaries: false,
  serviceTiers: [],
  lite: false,
  parallelToolCalls: true,
  toolStyle: 'function',
};

test('a model is known by the longest name that its own begins with', () => {
  expect(modelFacts('gpt-5.5')).toEqual({
    contextWindow: 272_000,
    effectivePercent: 95,
    efforts: ['low', 'medium', 'high', 'xhigh'],
    defaultEffort: 'medium',
    reasoningSummaries: true,
    takesVerbosity: true,
    defaultVerbosity: 'low',
    serviceTiers: ['priority'],
    lite: false,
    images: true,
    parallelToolCalls: true,
    toolStyle: 'freeform',
  });
  expect(modelFacts('gpt-6.2-sol')).toMatchObject({ contextWindow: 500_000, lite: true });
  expect(modelFacts('gpt-5-codex-mini')).toMatchObject({
    efforts: ['medium', 'high'],
    takesVerbosity: false,
  });
  expect(modelFacts('gpt-5-pro-2025-10-06')).toMatchObject({ defaultEffort: 'high', toolStyle: 'function' });
  expect(modelFacts('claude-opus-4-8').contextWindow).toBe(1_000_000);
  expect(modelFacts('claude-opus-4-1-20250805').contextWindow).toBe(200_000);
});

test('names are whole words, in any case', () => {
  expect(modelFacts('o3-2025-04-16').contextWindow).toBe(200_000);
  expect(modelFacts('gpt-6-astra:azure').lite).toBe(true);
  expect(modelFacts('glm-4.5v').contextWindow).toBe(64_000);
  expect(modelFacts('GLM-4.6-FP8').contextWindow).toBe(204_800);
  for (const other of ['o30-foo', 'gpt-55', 'gpt-4oh', 'o3x', 'my-o3'])
    expect(modelFacts(other)).toEqual(UNKNOWN);
});

test('before one slash may stand whose model it is', () => {
  const known = modelFacts('gpt-5-codex');
  expect(modelFacts('openai/gpt-5-codex')).toEqual(known);
  expect(modelFacts('Qwen/Qwen3-Coder-480B-A35B-Instruct').contextWindow).toBe(262_144);
  for (const other of ['a/b/gpt-5', '/gpt-5', 'a.b/gpt-5', ''])
    expect(modelFacts(other), other).toEqual(UNKNOWN);
});

test('nobody knows it: nothing is asked of it that any server might refuse', () => {
  expect(modelFacts('my-own-finetune')).toEqual(UNKNOWN);
  for (const odd of ['__proto__', 'constructor', '💥', 'x'.repeat(100_000)])
    expect(modelFacts(odd)).toEqual(UNKNOWN);
});

test('the configuration knows better', () => {
  const models = {
    'my-own': { contextWindow: 32_000, toolStyle: 'freeform', efforts: ['on', 'off'] },
    'my-own-big': { contextWindow: 64_000, effectiveContextWindowPercent: 50 },
    'gpt-6': { responsesLite: false, images: false },
    'gpt-oss': { defaultEffort: 'high', verbosity: 'low', serviceTiers: ['flex'] },
  } as const;
  expect(modelFacts('team/my-own-finetune', models)).toMatchObject({
    contextWindow: 32_000,
    toolStyle: 'freeform',
    efforts: ['on', 'off'],
  });
  expect(modelFacts('my-own-big', models)).toMatchObject({ contextWindow: 64_000, effectivePercent: 50 });
  expect(modelFacts('gpt-6.2-sol', models)).toMatchObject({
    ...{ contextWindow: 500_000, lite: false, images: false },
  });
  expect(modelFacts('gpt-oss-20b', models)).toMatchObject({
    defaultEffort: 'high',
    reasoningSummaries: true,
    takesVerbosity: true,
    defaultVerbosity: 'low',
    serviceTiers: ['flex'],
  });
});

test('what is set for all models wins over all', () => {
  const windows = { contextWindow: 8000, autoCompactTokenLimit: 6000 };
  expect(modelFacts('gpt-5.5', { 'gpt-5': { contextWindow: 9000 } }, windows)).toMatchObject(windows);
  expect(modelFacts('gpt-5.5', {}, { contextWindow: undefined }).contextWindow).toBe(272_000);
});

const facts = z.strictObject({
  context_window: z.int().min(8000).optional(),
  effective_context_window_percent: z.int().min(1).max(100).optional(),
  auto_compact_token_limit: z.int().positive().optional(),
  efforts: z.array(z.enum(['minimal', 'low', 'medium', 'high', 'xhigh', 'max'])).optional(),
  default_effort: z.string().optional(),
  reasoning_summaries: z.boolean().optional(),
  default_summary: z.enum(['auto', 'concise', 'detailed']).optional(),
  verbosity: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
  service_tiers: z.array(z.string()).optional(),
  responses_lite: z.boolean().optional(),
  images: z.boolean().optional(),
  parallel_tool_calls: z.boolean().optional(),
  tool_style: z.enum(['freeform', 'function']).optional(),
});

test('the table says nothing that is not understood, of no model twice, and where each family is from', () => {
  const family = z.strictObject({
    ...{ family: z.string().min(1), source: z.string().min(1) },
    ...{ facts, models: z.record(z.string().regex(/^[a-z][a-z\d.-]*[a-z\d]$/), facts) },
  });
  const families = z.array(family).parse(table);
  const slugs = families.flatMap(({ models }) => Object.keys(models));
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const slug of slugs) {
    const { defaultEffort, efforts } = modelFacts(slug);
    if (defaultEffort !== undefined) expect(efforts, slug).toContain(defaultEffort);
  }
});
