import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isKnownSafe } from './known-safe.ts';

type Vector = { argv: string[]; known_safe: boolean; reason: string };
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('fixtures/command-safety.json', import.meta.url), 'utf8'),
).known_safe;

test.each(vectors.map(({ argv, ...rest }) => [argv.join(' '), { argv, ...rest }] as const))(
  '%s',
  (_words, { argv, known_safe }) => expect(isKnownSafe(argv)).toBe(known_safe),
);

test.each([
  ['./ls'],
  ['/srv/lab/bin/cat', 'a'],
  ['rg', '-nz', 'x'],
  ['base64', '-wo', 'f'],
  ['base64', '--out', 'f'],
  ['uniq', 'a', 'b'],
  ['sed', '-n', '1p', '-i'],
  ['constructor'],
  ['toString'],
  [],
])('%s %s %s is not', (...argv) =>
  expect(isKnownSafe(argv.filter((word) => word !== undefined))).toBe(false),
);
