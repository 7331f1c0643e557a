import { expect, test } from 'vitest';
import { ago } from './time-ago.tsx';

const at = Date.parse('2026-03-01T12:00:00Z');

test.each([
  [0, 'now'],
  [59, 'now'],
  [60, '1 min'],
  [3_599, '59 min'],
  [3_600, '1 h'],
  [86_399, '23 h'],
  [86_400, '1 d'],
  [90 * 86_400, '90 d'],
  [-30, 'now'],
])('%d seconds later it was %s', (seconds, text) => {
  expect(ago(at, at + seconds * 1_000)).toBe(text);
});
