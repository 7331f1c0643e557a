import { expect, test } from 'vitest';
import { isSafeNext } from './next-path.ts';

test.each([
  ['/', true],
  ['/w/demo/', true],
  ['/w/demo/?session=0197&x=//y', true],
  ['', false],
  ['w/demo', false],
  ['//evil.example', false],
  ['/w//evil.example', false],
  ['/\\evil.example', false],
  ['/a\nb', false],
  ['/\t/evil.example', false],
  ['/../up', false],
  ['/w/%2e%2E/up', false],
  ['/w/.', false],
  ['https://evil.example/', false],
  [`/${'a'.repeat(3000)}`, false],
])('%j: %s', (next, safe) => {
  expect(isSafeNext(next)).toBe(safe);
});
