import { expect, test } from 'vitest';
import { wentIn } from './focus-guard.ts';

const now = 100_000;
const ago = (what: string, ms: number) => ({ what, at: now - ms });

test.each([
  ['a press in the frame, long after the last one here', ago('a', 5_100), true, true],
  ['a press in the frame before any here', ago('', Number.POSITIVE_INFINITY), true, true],
  ['Tab', ago('Tab', 20), false, true],
  ['a press in the frame, long after Tab', ago('Tab', 5_100), true, true],
  ['a script while one types', ago('a', 300), true, false],
  ['a script just after the field was pressed', ago('pointer', 300), true, false],
  ['a script while nobody does anything', ago('a', 60_000), false, false],
  ['a script a while after Tab', ago('Tab', 600), true, false],
])('%s', (_, pressed, isActive, expected) => {
  expect(wentIn({ now, pressed, isActive })).toBe(expected);
});
