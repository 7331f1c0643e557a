import { OUTPUT_HEAD } from '@tscodex/shared/limits';
import { expect, test } from 'vitest';
import { newestLines, outputParts } from './output-parts.ts';

test('a whole output is its head', () => {
  expect(outputParts({ output: 'all', outputBytes: 3, truncated: false })).toEqual({
    head: 'all',
    leftOut: 0,
    tail: '',
  });
});

test('a cut one is two ends and the bytes between, counted in UTF-8', () => {
  const output = `${'a'.repeat(OUTPUT_HEAD)}é end`;
  const parts = outputParts({ output, outputBytes: OUTPUT_HEAD + 6 + 1000, truncated: true });
  expect(parts).toEqual({ head: 'a'.repeat(OUTPUT_HEAD), leftOut: 1000, tail: 'é end' });
});

test('the newest lines of a long output begin with a whole one', () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `line ${at}`).join('\n');
  const shown = newestLines(lines);
  expect(shown.length).toBeLessThanOrEqual(16 * 1024);
  expect(shown).toMatch(/^line \d+\n/);
  expect(shown.endsWith('line 4999')).toBe(true);
  expect(newestLines('short')).toBe('short');
  expect(newestLines('x'.repeat(20_000))).toBe('x'.repeat(16 * 1024));
});
