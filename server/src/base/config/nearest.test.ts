import { expect, test } from 'vitest';
import { nearest } from './nearest.ts';

test('the nearest word, and none where all are too far', () => {
  const known = ['model', 'model_provider', 'sandbox_mode'];
  expect(nearest('modell', known)).toBe('model');
  expect(nearest('sandbox_mod', known, 3)).toBe('sandbox_mode');
  expect(nearest('frobnicate', known, 3)).toBeNull();
  expect(nearest('', [])).toBeNull();
  expect(nearest('x'.repeat(65), known)).toBeNull();
});
