import { expect, test } from 'vitest';
import { anyItem } from './items.ts';

const base = { id: 'i', turnId: null, status: 'completed', startedAt: '2026-01-02T03:04:05.000Z' };

test('an item of an unknown type is kept whole', () => {
  const item = { ...base, type: 'hologram', depth: 3 };
  expect(anyItem.parse(item)).toEqual(item);
});

test.each([
  { ...base, type: 'agentMessage', text: 5 },
  { ...base, type: 'plan' },
  { ...base, type: 'commandExecution', command: 'ls' },
])('a known type must fit: %j', (item) => expect(anyItem.safeParse(item).success).toBe(false));
