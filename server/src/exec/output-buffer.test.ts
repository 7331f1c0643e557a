import { expect, test } from 'vitest';
import { OutputBuffer } from './output-buffer.ts';

const KIB = 1024;

function bufferOf(...chunks: (string | Buffer)[]): OutputBuffer {
  const buffer = new OutputBuffer();
  for (const chunk of chunks) buffer.append(Buffer.from(chunk as string));
  return buffer;
}

test('what fits is kept whole, across any split of its bytes', () => {
  const text = '你好 🌍 é\n';
  const bytes = Buffer.from(text);
  for (let at = 1; at < bytes.length; at++) {
    const buffer = new OutputBuffer();
    buffer.append(bytes.subarray(0, at));
    const first = buffer.read(0);
    buffer.append(bytes.subarray(at));
    const second = buffer.read(first.bytes);
    expect(first.head + second.head).toBe(text);
    expect(first.head).not.toContain('\ufffd');
  }
});

test('invalid bytes become U+FFFD, and so does a character that never got whole', () => {
  const buffer = bufferOf(Buffer.from([0x61, 0xff, 0x62, 0xe4, 0xbd]));
  expect(buffer.read(0).head).toBe('a\ufffdb');
  buffer.finish();
  expect(buffer.read(0).head).toBe('a\ufffdb\ufffd');
  expect(buffer.end).toBe(5);
});

test('of a flood the first and last 512 KiB stay, and what is missing is counted', () => {
  const buffer = new OutputBuffer();
  const line = 'y'.repeat(99);
  for (let i = 0; i < 30_000; i++) buffer.append(Buffer.from(`${line}\n`));
  buffer.append(Buffer.from('the end'));
  const { head, tail, bytes, omitted } = buffer.read(0);
  expect(bytes).toBe(3_000_007);
  expect([head.length, tail.length]).toEqual([512 * KIB, 512 * KIB]);
  expect(omitted).toBe(3_000_007 - 1024 * KIB);
  expect(tail.endsWith(`${line}\nthe end`)).toBe(true);
});

test('one chunk larger than all that is kept', () => {
  const buffer = bufferOf(`start${'x'.repeat(3_000_000)}stop`);
  const { head, tail } = buffer.read(0);
  expect(head.startsWith('startx')).toBe(true);
  expect(tail.endsWith('xstop')).toBe(true);
  expect(head.length + tail.length).toBe(1024 * KIB);
});

test('characters are whole at the cuts too', () => {
  for (const shift of ['', 'a', 'ab']) {
    const buffer = bufferOf(shift + '中'.repeat(700_000));
    const { head, tail, bytes, omitted } = buffer.read(0);
    expect(head + tail).not.toContain('\ufffd');
    expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + omitted).toBe(bytes);
  }
});

test('a reader that comes back gets what is new', () => {
  const buffer = bufferOf('one ');
  const first = buffer.read(0);
  buffer.append(Buffer.from('two'));
  expect(buffer.read(first.bytes)).toEqual({ head: 'two', tail: '', bytes: 3, omitted: 0 });
  expect(buffer.read(7)).toEqual({ head: '', tail: '', bytes: 0, omitted: 0 });
});

test('a reader that was away for a flood gets its end and the size of the gap', () => {
  const buffer = bufferOf('x'.repeat(600 * KIB));
  const { bytes } = buffer.read(0);
  buffer.append(Buffer.from('z'.repeat(2000 * KIB)));
  expect(buffer.read(bytes)).toMatchObject({ head: '', bytes: 2000 * KIB, omitted: 1488 * KIB });
});

test('the last characters, with how many bytes were left out before them', () => {
  expect(bufferOf('abcdef').readLast(0, 4)).toEqual({ text: 'cdef', skipped: 2 });
  expect(bufferOf('äöü').readLast(0, 2)).toEqual({ text: 'öü', skipped: 2 });
  expect(bufferOf('a🌍').readLast(0, 1)).toEqual({ text: '', skipped: 5 });
  expect(bufferOf('abcdef').readLast(4, 4)).toEqual({ text: 'ef', skipped: 0 });
});
