import { expect, test } from 'vitest';
import { initials } from './initials.ts';

test.each([
  ['Ada', 'A'],
  ['ada lovelace', 'AL'],
  ['Jean-Luc de la Tour', 'JT'],
  ['王小明', '王'],
  ['ÉMILE', 'É'],
  ['e\u0301mile', 'E\u0301'],
  ['<img src=x>', 'IS'],
  ['🦊', '🦊'],
  ['(Ada)', 'A'],
  ['R2', 'R'],
])('%s: %s', (name, expected) => {
  expect(initials(name)).toBe(expected);
});
