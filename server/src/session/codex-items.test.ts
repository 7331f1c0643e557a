import { expect, test } from 'vitest';
import { itemOfCodex } from './codex-items.ts';

test('a time that no calendar has is when the item was recorded', () => {
  const item = { type: 'AgentMessage', content: [{ type: 'Text', text: 'Hello' }] };
  const times = { started_at_ms: 1e300, completed_at_ms: 0 };
  const at = '2026-11-30T00:00:00.000Z';
  expect(itemOfCodex({ type: 'item_completed', item, ...times }, 'id', at)).toMatchObject({
    startedAt: at,
    completedAt: '1970-01-01T00:00:00.000Z',
  });
});
