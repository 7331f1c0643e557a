import { expect, test } from 'vitest';
import type { ResponseItem } from '../base/response-items.ts';
import { userText } from '../base/response-items.ts';
import type { ToolSpec } from './client.ts';
import { ResponsesClient } from './responses.ts';
import { requestBody } from './responses-body.ts';
import { collect, completed, provider, request, settings, sse, stream } from './test-provider.ts';
import { WireItems } from './wire-items.ts';

const tool: ToolSpec = { type: 'function', name: 't', description: 'd', parameters: {}, strict: false };
const body = (more: Parameters<typeof request>[0]) => requestBody(request(more), new WireItems());

test('what is not asked for is not in the body', () => {
  expect(body({})).not.toHaveProperty('reasoning');
  expect(body({ effort: 'low' }).reasoning).toEqual({ effort: 'low' });
  expect(body({ summary: 'auto' }).reasoning).toEqual({ summary: 'auto' });
  expect(body({ serviceTier: 'priority' }).service_tier).toBe('priority');
  expect(body({ tools: [tool], parallelToolCalls: false }).parallel_tool_calls).toBe(false);
});

test('a schema for the answer goes beside the verbosity', () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false };
  const format = { type: 'json_schema', name: 'output_schema', strict: true, schema };
  expect(body({ outputSchema: schema }).text).toEqual({ format });
  expect(body({ outputSchema: schema, verbosity: 'low' }).text).toEqual({ verbosity: 'low', format });
});

const image: ResponseItem = {
  type: 'message',
  role: 'user',
  content: [{ type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'high' }],
};
const viewed: ResponseItem = { type: 'function_call_output', call_id: 'c', output: image.content };

test('lite: instructions and tools are the first items, and one call is made at a time', () => {
  const lite = body({ lite: true, tools: [tool], effort: 'low', input: [userText('hi'), image, viewed] });
  expect(lite).not.toHaveProperty('instructions');
  expect(lite).not.toHaveProperty('tools');
  expect(lite).toMatchObject({
    tool_choice: 'auto',
    parallel_tool_calls: false,
    reasoning: { effort: 'low', context: 'all_turns' },
  });
  const [tools, developer, , shown, output] = lite.input as Record<string, unknown>[];
  expect(tools).toEqual({
    type: 'additional_tools',
    id: expect.any(String),
    role: 'developer',
    tools: [tool],
  });
  expect(developer).toMatchObject({ type: 'message', role: 'developer', content: [{ text: 'Be brief.' }] });
  const plain = { type: 'input_image', image_url: 'data:image/png;base64,AA==' };
  expect(shown?.content).toEqual([plain]);
  expect(output?.output).toEqual([plain]);
  expect(body({ lite: true })).not.toHaveProperty('reasoning');
  expect(body({ lite: true, instructions: '' }).input).toHaveLength(2);
});

test('lite: an id stays while the session and what it stands for do', () => {
  const ids = (more: Parameters<typeof request>[0]) =>
    (body({ lite: true, tools: [tool], ...more }).input as { id: string }[]).slice(0, 2).map(({ id }) => id);
  const [tools, developer] = ids({});
  // as any UUIDv5 of the session's in the OID's name space makes them
  expect([tools, developer]).toEqual([
    'at_5c07826f-fbb9-5f52-85d9-5fae455e7567',
    'msg_002628cc-f7d4-5f06-9a94-5d9612e3e43a',
  ]);
  expect(ids({ input: [] })).toEqual([tools, developer]);
  expect(ids({ instructions: 'Be long.' })).toEqual([
    tools,
    expect.not.stringContaining(developer as string),
  ]);
  expect(ids({ cacheKey: 'session-2' })[0]).not.toBe(tools);
  expect(ids({ tools: [] })[0]).not.toBe(tools);
});

test('lite is told in a header, and only then', async () => {
  const { origin, seen } = await provider(stream(sse(completed())));
  const client = new ResponsesClient(settings(origin), '1');
  for (const lite of [true, false])
    await collect(client.stream(request({ lite }), new AbortController().signal));
  const header = 'x-openai-internal-codex-responses-lite';
  expect(seen.map(({ headers }) => headers[header])).toEqual(['true', undefined]);
});
