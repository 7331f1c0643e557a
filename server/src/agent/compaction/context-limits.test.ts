import { expect, test } from 'vitest';
import { modelFacts } from '../../model/catalog.ts';
import { contextLimits } from './context-limits.ts';

const facts = (contextWindow?: number, autoCompactTokenLimit?: number) =>
  modelFacts('unheard-of', {}, { contextWindow, autoCompactTokenLimit });

test.each([
  ['a large window', facts(272_000), 5000, { window: 258_400, compactAt: 232_560 }],
  ['a middling one keeps room for a summary', facts(32_000), 5000, { window: 30_400, compactAt: 22_400 }],
  ['a small one shares what is left', facts(8000), 4000, { window: 7600, compactAt: 6400 }],
  ['hardly any room', facts(8000), 7500, { window: 7600, compactAt: 6840 }],
  ['no room at all', facts(8000), 9000, { window: 7600, compactAt: 6840 }],
  ['a limit that was set', facts(100_000, 60_000), 5000, { window: 95_000, compactAt: 60_000 }],
  ['a limit beyond the window', facts(100_000, 160_000), 5000, { window: 95_000, compactAt: 95_000 }],
  ['a limit and no window', facts(undefined, 60_000), 5000, { compactAt: 60_000 }],
  ['nothing known', facts(), 5000, {}],
])('%s', (_, known, fixed, expected) => {
  expect(contextLimits(known, fixed)).toEqual(expected);
});
