import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonErrorPosition } from './json-position.ts';

test.each([
  ['{"a": 1,\n  "b": x}', 2, 8],
  ['{"a": 1,\n}', 2, 1],
  ['[1, 2', 1, 6],
  ['[1 2]', 1, 4],
  ['', 1, 1],
  ['{\n  "a" 1}', 2, 7],
  ['{"a": "two\nlines"}', 1, 7],
  ['[] []', 1, 4],
  ["{'a': 1}", 1, 2],
  ['[01]', 1, 3],
])('%j stops being JSON at %i:%i', (text, line, column) => {
  expect(jsonErrorPosition(text)).toEqual({ line, column });
});

test('it agrees with JSON.parse on what is JSON', () => {
  const spoiled = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ' ', '\\', '1', '-', 'x'))
    .map(
      ([text, at, piece]) =>
        text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1),
    );
  fc.assert(
    fc.property(fc.oneof(fc.json(), spoiled), (text) => {
      expect(jsonErrorPosition(text) === null).toBe(isJson(text));
    }),
  );
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
