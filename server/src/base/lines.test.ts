import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { parsedLine, readLines } from './lines.ts';

async function linesOf(chunks: readonly string[], limit?: number): Promise<string[]> {
  const from = new PassThrough();
  const lines: string[] = [];
  readLines(from, (line) => lines.push(line), limit);
  for (const chunk of chunks) from.write(chunk);
  from.end();
  await new Promise((resolve) => from.once('end', resolve));
  return lines;
}

test('lines come whole, however they were cut; empty ones and one without an end do not', async () => {
  expect(await linesOf(['{"a"', ':1}\n\n  \n{"b":', '2}\n{"c"'])).toEqual(['{"a":1}', '{"b":2}']);
});

test('one that is too long is passed over, in one piece or in many, and the next is read', async () => {
  const long = 'x'.repeat(11);
  expect(await linesOf([`${long}\nshort\n`], 10)).toEqual(['short']);
  expect(await linesOf([...long, '\nshort\n', 'xxxxxxxx', 'xxxxxxxx', `\nshort\n`], 10)).toEqual([
    'short',
    'short',
  ]);
});

test('what is no JSON is null', () => {
  expect(parsedLine('{"a":1}')).toEqual({ a: 1 });
  expect(parsedLine('{"a":')).toBeNull();
});
