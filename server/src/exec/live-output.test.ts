import { OUTPUT_HEAD, OUTPUT_TAIL } from '@tscodex/shared/limits';
import { growOutput } from '@tscodex/shared/session-state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveOutput } from './live-output.ts';
import { OutputBuffer } from './output-buffer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const buffer = new OutputBuffer();
  const deltas: { delta: string; skipped: number }[] = [];
  const live = new LiveOutput(buffer, (delta, skipped) => deltas.push({ delta, skipped }));
  const write = (text: string) => {
    buffer.append(Buffer.from(text));
    live.changed();
  };
  return { buffer, deltas, live, write };
}

test('the first output goes out at once, what follows within 50 ms in one piece', () => {
  const { deltas, write } = setUp();
  write('a');
  expect(deltas).toEqual([{ delta: 'a', skipped: 0 }]);
  write('b');
  write('c');
  expect(deltas).toHaveLength(1);
  vi.advanceTimersByTime(50);
  expect(deltas).toEqual([
    { delta: 'a', skipped: 0 },
    { delta: 'bc', skipped: 0 },
  ]);
  vi.advanceTimersByTime(1000);
  write('d');
  expect(deltas.at(-1)).toEqual({ delta: 'd', skipped: 0 });
});

test('a flood is delivered as its whole head and bounded pieces of the rest, and folds to head and tail', () => {
  const { buffer, deltas, live, write } = setUp();
  let whole = '';
  for (let i = 0; i < 400; i++) {
    const text = `${i} 中文 ${'x'.repeat(3000)}\n`;
    whole += text;
    write(text);
    if (i % 100 === 0) vi.advanceTimersByTime(50);
  }
  buffer.finish();
  live.finish();
  for (const { delta, skipped } of deltas) if (skipped) expect(delta.length).toBeLessThanOrEqual(OUTPUT_TAIL);
  const item = deltas.reduce((state, { delta, skipped }) => growOutput(state, delta, skipped), {
    output: '',
    outputBytes: 0,
    truncated: false,
  });
  expect(item).toEqual({
    output: whole.slice(0, OUTPUT_HEAD) + whole.slice(-OUTPUT_TAIL),
    outputBytes: Buffer.byteLength(whole),
    truncated: true,
  });
});

test('a character that is not whole waits for its rest', () => {
  const { buffer, deltas, live } = setUp();
  buffer.append(Buffer.from([0xe4, 0xbd]));
  live.changed();
  buffer.append(Buffer.from([0xa0]));
  live.changed();
  vi.advanceTimersByTime(50);
  expect(deltas).toEqual([{ delta: '你', skipped: 0 }]);
});
