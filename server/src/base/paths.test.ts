import { expect, test } from 'vitest';
import { isWithin } from './paths.ts';

test.each([
  ['/a', '/a', true],
  ['/a/b', '/a', true],
  ['/a/b', '/', true],
  ['/', '/', true],
  ['/a', '/a/', true],
  ['/a/b', '/a/', true],
  ['/ab', '/a/', false],
  ['/ab', '/a', false],
  ['/a', '/a/b', false],
  ['/', '/a', false],
])('%s is or lies in %s: %s', (path, place, expected) => {
  expect(isWithin(path, place)).toBe(expected);
});
