import { expect, test } from 'vitest';
import { readResponse } from './response-stream.ts';

test.each(['response.function_call_arguments.delta', 'response.output_text.delta'])(
  'an answer without end (%s) is left',
  async (type) => {
    let sent = 0;
    async function* messages() {
      const delta = 'x'.repeat(1024 * 1024);
      for (; ; sent++) yield { event: undefined, data: { type, item_id: 'i', output_index: 0, delta } };
    }
    const asked = { provider: 'test', model: 'm1', url: 'http://127.0.0.1/v1', secrets: [] };
    const read = async () => {
      for await (const event of readResponse(messages(), asked)) expect(event.type).toBe('text');
    };
    await expect(read()).rejects.toMatchObject({ reason: 'stream-cut', retryable: false });
    expect(sent).toBe(64);
  },
);

test('that a call is being written is told before it is whole, once, and of nothing else', async () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'exec_command' };
  const said = { type: 'message', id: 'msg_1', role: 'assistant', content: [] };
  const event = (type: string, more: object) => ({
    event: undefined,
    data: { type: `response.${type}`, output_index: 1, ...more },
  });
  async function* messages() {
    yield event('output_item.added', { output_index: 0, item: said });
    yield event('output_item.added', { item: { ...call, arguments: '' } });
    yield event('function_call_arguments.delta', { item_id: 'fc_1', delta: '{}' });
    yield event('output_item.done', { item: { ...call, arguments: '{}' } });
    yield event('completed', { response: { id: 'r', status: 'completed', output: [] } });
  }
  const asked = { provider: 'test', model: 'm1', url: 'http://127.0.0.1/v1', secrets: [] };
  const types: string[] = [];
  for await (const { type } of readResponse(messages(), asked)) types.push(type);
  expect(types).toEqual(['calling', 'item', 'completed']);
});
