import { expect, test } from 'vitest';
import { jsonBody } from './json-body.ts';

const text = (body: Record<string, unknown>) => Buffer.concat(jsonBody(body).pieces).toString();

test.each([
  {},
  { input: [] },
  { model: 'm', input: [{ a: '✓ "quoted"\n' }, undefined, null, [1]], stream: true },
  { left: undefined, tools: [{ deep: { list: [1, { b: 2 }] } }], none: null, 'a "key"': '' },
])('%j is as JSON has it', (body) => {
  expect(text(body)).toBe(JSON.stringify(body));
  expect(jsonBody(body).bytes).toBe(Buffer.byteLength(JSON.stringify(body)));
});

test('a long one comes in pieces of some length', () => {
  const body = { model: 'm', input: Array.from({ length: 40_000 }, (_, n) => ({ n, text: 'é'.repeat(20) })) };
  const { pieces, bytes } = jsonBody(body);
  expect(text(body)).toBe(JSON.stringify(body));
  expect(bytes).toBe(pieces.reduce((sum, piece) => sum + piece.length, 0));
  const lengths = pieces.map((piece) => piece.toString().length);
  expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(256 * 1024);
  expect(Math.max(...lengths)).toBeLessThan(257 * 1024);
});
