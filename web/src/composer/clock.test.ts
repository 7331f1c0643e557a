import { expect, test } from 'vitest';
import { elapsed } from './clock.tsx';

test('elapsed time as a clock', () => {
  expect([-5_000, 0, 41_900, 725_000, 3_600_000].map(elapsed)).toEqual([
    '0:00',
    '0:00',
    '0:41',
    '12:05',
    '1:00:00',
  ]);
});
