import { expect, test } from 'vitest';
import { withoutOutputs } from './without-outputs.ts';

const lineOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const read = (line: Buffer) => JSON.parse(line.toString());

test('of a long output its end is left, and all beside it', () => {
  const record = (output: string) => ({
    type: 'event_msg',
    payload: { item: { aggregated_output: output }, n: 1 },
  });
  const line = withoutOutputs(lineOf(record(`${'x'.repeat(10_000)}aborted by user`)));
  expect(line.length).toBeLessThan(300);
  const { type, payload } = read(line);
  expect({ type, n: payload.n }).toEqual({ type: 'event_msg', n: 1 });
  expect(payload.item.aggregated_output).toMatch(/^x+aborted by user$/);
});

test.each([
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['escapes', '\\"\n\u0001\\\\"'],
  ['what needs several bytes', '✓é😀'],
  ['what looks like another output', '","output":"'],
])('%s do not end it', (_, piece) => {
  for (let more = 0; more < 70; more++) {
    const output = piece.repeat(3000) + 'a'.repeat(more);
    const { after, ...rest } = read(withoutOutputs(lineOf({ output, after: 'kept' })));
    expect(after).toBe('kept');
    expect(rest.output.length).toBeLessThan(100);
  }
});

test('what it cannot be sure of, and what is short, stays as it is', () => {
  const whole = lineOf({ output: 'x'.repeat(10_000) });
  const lines = [whole.subarray(0, 9000), lineOf({ text: 'x'.repeat(10_000) }), lineOf({ output: 'x' })];
  for (const line of lines) expect(withoutOutputs(line)).toBe(line);
});
