import { expect, test } from 'vitest';
import { byteSize, duration } from './quantities.ts';

test('durations', () => {
  expect([0, 380, 1_800, 42_900, 125_000, 3_720_000].map(duration)).toEqual([
    '0 ms',
    '380 ms',
    '1.8 s',
    '42 s',
    '2 m 05 s',
    '1 h 02 m',
  ]);
});

test('sizes', () => {
  expect([0, 1023, 3_500, 1024 * 1024].map(byteSize)).toEqual(['0 B', '1023 B', '3.4 KiB', '1 MiB']);
});
