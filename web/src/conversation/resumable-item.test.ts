import type { Item } from '@tscodex/shared/items';
import { expect, test } from 'vitest';
import { resumableItem } from './resumable-item.ts';

const notice = (id: string, code: string): Item => ({
  id,
  type: 'notice',
  turnId: null,
  status: 'completed',
  startedAt: '2026-01-01T00:00:00.000Z',
  level: 'warning',
  code,
  text: '',
});
const items = [
  notice('1', 'turn.interrupted'),
  notice('2', 'session.paused'),
  notice('3', 'turn.interrupted'),
  notice('4', 'model.retry'),
];

test('the newest notice of the kind offers to go on, and only while that is possible', () => {
  expect(resumableItem({ status: 'idle', canContinue: true, items })).toBe('3');
  expect(resumableItem({ status: 'paused', canContinue: true, items })).toBe('2');
  expect(resumableItem({ status: 'idle', canContinue: false, items })).toBeUndefined();
  expect(resumableItem({ status: 'idle', canContinue: true, items: [] })).toBeUndefined();
});
