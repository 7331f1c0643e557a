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

test('where the model has failed the last word offers to try again, until something follows it', () => {
  const failed = { ...notice('5', 'model.overloaded'), level: 'error' as const };
  const idle = { status: 'idle' as const, canContinue: false };
  expect(resumableItem({ ...idle, items: [...items, failed] })).toBe('5');
  expect(resumableItem({ ...idle, items: [failed, ...items] })).toBeUndefined();
  expect(resumableItem({ ...idle, status: 'running', items: [failed] })).toBeUndefined();
});

test('the newest notice of the kind offers to go on, and only while that is possible', () => {
  expect(resumableItem({ status: 'idle', canContinue: true, items })).toBe('3');
  expect(resumableItem({ status: 'paused', canContinue: true, items })).toBe('2');
  for (const code of ['session.crashed', 'session.reopened'])
    expect(resumableItem({ status: 'paused', canContinue: true, items: [...items, notice('5', code)] })).toBe(
      '5',
    );
  expect(resumableItem({ status: 'idle', canContinue: false, items })).toBeUndefined();
  expect(resumableItem({ status: 'idle', canContinue: true, items: [] })).toBeUndefined();
});
