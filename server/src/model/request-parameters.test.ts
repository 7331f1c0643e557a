import { expect, test } from 'vitest';
import { modelFacts } from './catalog.ts';
import { type ModelSettings, requestParameters } from './request-parameters.ts';

function asked(model: string, settings: Omit<ModelSettings, 'model'> = {}) {
  const {
    model: _,
    parallelToolCalls,
    lite,
    toolStyle,
    ...asked
  } = requestParameters({ model, ...settings }, modelFacts(model));
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
}

test.each([
  ['gpt-5.5', { effort: 'medium', verbosity: 'low' }],
  ['gpt-5.2', { effort: 'medium', summary: 'auto', verbosity: 'low' }],
  ['gpt-5-codex', { effort: 'medium' }],
  ['o3', {}],
  ['gpt-4.1', {}],
  ['claude-opus-4-8', {}],
  ['nobody-knows-it', {}],
])('where nothing is set, %s is asked what it does best', (model, expected) => {
  expect(asked(model)).toEqual(expected);
});

const ALL = { effort: 'high', summary: 'detailed', verbosity: 'high', serviceTier: 'fast' };

test.each([
  ['gpt-5.5', { effort: 'high', summary: 'detailed', verbosity: 'high', serviceTier: 'priority' }],
  ['gpt-5.4-mini', { effort: 'high', summary: 'detailed', verbosity: 'high' }],
  ['gpt-5-codex', { effort: 'high', summary: 'detailed' }],
  ['gpt-4o', {}],
  ['claude-opus-4-8', { effort: 'high', summary: 'detailed', verbosity: 'high' }],
  ['nobody-knows-it', { effort: 'high', summary: 'detailed', verbosity: 'high' }],
])('what is set goes to %s unless it is known not to take it', (model, expected) => {
  expect(asked(model, ALL)).toEqual(expected);
});

test('no summary is wanted: none is asked for, also where the model has a default', () => {
  expect(asked('gpt-5.2', { summary: 'none' })).toEqual({ effort: 'medium', verbosity: 'low' });
});

test('of the service tiers only those go out that the model is known to have', () => {
  for (const serviceTier of ['default', 'flex', 'auto', '', 'FAST'])
    expect(asked('gpt-5.5', { serviceTier })).not.toHaveProperty('serviceTier');
  expect(asked('gpt-5.5', { serviceTier: 'priority' })).toMatchObject({ serviceTier: 'priority' });
});
