import { expect, test } from 'vitest';
import type { ResponseItem } from '../base/response-items.ts';
import { UniqueIds } from './unique-ids.ts';

const call = (id: string, callId: string): ResponseItem => ({
  ...{ type: 'function_call', name: 't', arguments: '{}' },
  ...{ id, call_id: callId },
});
const message = (id?: string): ResponseItem => ({
  ...{ type: 'message', role: 'assistant', content: [] },
  ...(id !== undefined && { id }),
});
const ids = (items: ResponseItem[]) =>
  items.map((item) => [('id' in item && item.id) || '-', 'call_id' in item ? item.call_id : '-'].join(' '));

test('Q59: what is named as something before gets a name of its own', () => {
  const history = [message('msg_1'), call('fc_1', 'c1'), call('fc_2', 'c1_2'), call('fc_4', 'c1_3')];
  const answer = [message('msg_1'), call('fc_1', 'c1'), call('fc_1', 'c1')];
  expect(ids(new UniqueIds(history).of(answer))).toEqual(['msg_1_2 -', 'fc_1_2 c1_4', 'fc_1_3 c1_5']);
});

test('what has a name of its own keeps it, and stays the same item', () => {
  const answer = [
    message('msg_2'),
    message(),
    call('fc_3', 'c3'),
    { type: 'other', raw: { id: 'x' } } as const,
  ];
  const unique = new UniqueIds([message('msg_1'), call('fc_1', 'c1')]).of(answer);
  expect(unique).toHaveLength(4);
  for (const [i, item] of unique.entries()) expect(item).toBe(answer[i]);
});

test('what was named by an earlier answer is told apart, and so is a name made for another', () => {
  const unique = new UniqueIds([]);
  expect(ids(unique.of([message('m'), message('m')]))).toEqual(['m -', 'm_2 -']);
  expect(ids(unique.of([message('m_2'), call('m_2', 'm')]))).toEqual(['m_2_2 -', 'm_2_3 m']);
  expect(ids(unique.of([message('m'), message('m')]))).toEqual(['m_3 -', 'm_4 -']);
});
