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
