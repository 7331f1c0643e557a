// Q59: what servers of the Responses API get wrong, and what becomes of it.
import { expect, test } from 'vitest';
import type { ResponseItem } from '../base/response-items.ts';
import { ResponsesClient } from './responses.ts';
import {
  collect,
  completed,
  delta,
  done,
  message,
  provider,
  request,
  settings,
  sse,
  stream,
} from './test-provider.ts';

async function answer(...events: unknown[]) {
  const { origin } = await provider(stream(sse(...events)));
  const client = new ResponsesClient(settings(origin), '1');
  return collect(client.stream(request(), new AbortController().signal));
}

async function items(...events: unknown[]): Promise<ResponseItem[]> {
  return (await answer(...events)).flatMap((event) => (event.type === 'item' ? [event.item] : []));
}

const call = (args: unknown, more: object = {}) => ({
  ...{ type: 'function_call', id: 'fc_1', call_id: 'c1', name: 't', arguments: args },
  ...more,
});
const added = (item: object, at = 0) => ({ type: 'response.output_item.added', output_index: at, item });
const piece = (text: string, at = 0) => ({
  ...{ type: 'response.function_call_arguments.delta', item_id: 'x', output_index: at },
  delta: text,
});
const whole = (text: string, at = 0) => ({
  ...{ type: 'response.function_call_arguments.done', item_id: 'y', output_index: at },
  arguments: text,
});

const FINAL = '{"a":"final"}';
const STREAMED = '{"a":"streamed"}';

test.each([
  ['the end counts', FINAL, STREAMED, STREAMED, FINAL],
  ['the end is empty', '', STREAMED, '', STREAMED],
  ['the end is missing', undefined, STREAMED, '', STREAMED],
  ['the end is cut', '{"a":"fin', '', STREAMED, STREAMED],
  ['the pieces are cut', FINAL, '{"a":"str', '', FINAL],
  ['only one text is whole', '{"a"', '{"a":', STREAMED, STREAMED],
  ['nothing is whole', '{"a"', '{"a":', '{', '{"a"'],
  ['there are no arguments', '', '', '', '{}'],
])('streamed and final arguments differ: %s', async (_what, end, pieces, total, expected) => {
  const events = [...pieces].map((letter) => piece(letter));
  const [item] = await items(
    added(call('')),
    ...events,
    ...(total ? [whole(total)] : []),
    done(call(end)),
    completed(),
  );
  expect(item).toMatchObject({ type: 'function_call', call_id: 'c1', arguments: expected });
});

test('the pieces of calls side by side are told apart by their places', async () => {
  const second = call('', { id: 'fc_1', call_id: 'c2' });
  const found = await items(
    added(call('')),
    added(second, 1),
    piece('{"n":', 0),
    piece('{"n":', 1),
    piece('2}', 1),
    piece('1}', 0),
    done(call('')),
    { ...done(second), output_index: 1 },
    completed(),
  );
  expect(found).toMatchObject([
    { call_id: 'c1', arguments: '{"n":1}' },
    { call_id: 'c2', arguments: '{"n":2}' },
  ]);
});

test('a call that was streamed whole but never ended is not lost, and none is doubled', async () => {
  expect(await items(added(call('')), piece(STREAMED), completed())).toMatchObject([
    { call_id: 'c1', arguments: STREAMED },
  ]);
  expect(await items(added(call('')), piece(STREAMED), completed([call(FINAL)]))).toMatchObject([
    { call_id: 'c1', arguments: FINAL },
  ]);
  expect(await items(added(call('')), piece('{"a":"str'), completed())).toEqual([]);
  expect(await items(done(call(FINAL)), completed([call(FINAL)]))).toHaveLength(1);
});

test('the free text of a custom call is taken from where it is', async () => {
  const custom = (input: unknown) => ({ type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input });
  const text = { type: 'response.custom_tool_call_input.done', output_index: 0, input: '*** Begin' };
  expect(await items(added(custom('')), text, done(custom('')), completed())).toMatchObject([
    { input: '*** Begin' },
  ]);
  expect(await items(added(custom('')), text, done(custom('*** End')), completed())).toMatchObject([
    { input: '*** End' },
  ]);
});

test.each([
  [
    { type: 'function_call', call_id: 'c', arguments: '{}' },
    { name: 'unnamed', arguments: '{}' },
  ],
  [{ type: 'function_call', call_id: 'c', name: '', arguments: '{}' }, { name: 'unnamed' }],
  [{ type: 'function_call', call_id: 'c', name: { of: 't' }, arguments: [1] }, { arguments: '[1]' }],
  [
    { type: 'custom_tool_call', call_id: 'c', name: 't', input: { a: 1 } },
    { name: 't', input: '{"a":1}' },
  ],
  [
    { type: 'custom_tool_call', call_id: 'c', name: 't', input: null },
    { name: 't', input: '' },
  ],
  [
    { type: 'custom_tool_call', call_id: 'c' },
    { name: 'unnamed', input: '' },
  ],
])('a call that is not as it should be is a call, so that it gets an output: %j', async (wire, expected) => {
  expect(await items(done(wire), completed([wire]))).toEqual([
    expect.objectContaining({ type: wire.type, call_id: 'c', ...expected }),
  ]);
});

test('items without ids get some, and a call without one is told from its double by what it says', async () => {
  const nameless = { type: 'function_call', name: 't', arguments: '{}' };
  const [item, ...more] = await items(done(nameless), completed([nameless]));
  expect(more).toEqual([]);
  expect(item).toMatchObject({ id: expect.stringMatching(/^fc_/), call_id: expect.stringMatching(/^call_/) });
  expect(await items(done(nameless), done(nameless), completed())).toHaveLength(2);
});

test.each([
  [{ content: [{ type: 'reasoning_text', text: 'hm' }] }],
  [{ content: 'hm' }],
  [{ content: null, reasoning_content: 'hm' }],
  [{ content: [], reasoning: 'hm' }],
  [{ reasoning_content: 'hm', summary: null }],
])('reasoning in plain words, in any form: %j', async (form) => {
  const [item] = await items(done({ type: 'reasoning', ...form }), completed());
  expect(item).toMatchObject({ type: 'reasoning', content: [{ type: 'reasoning_text', text: 'hm' }] });
});

const end = (response: object) => ({ type: 'response.completed', response });

test.each([
  [{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }, 'max_output_tokens'],
  [{ status: 'incomplete' }, 'unknown'],
  [{ incomplete_details: { reason: 'content_filter' } }, 'content_filter'],
  [{ max_output_tokens: 10, usage: { input_tokens: 1, output_tokens: 10 } }, 'max_output_tokens'],
  [{ output: [{ ...message('half'), status: 'incomplete' }] }, 'unknown'],
])('`completed` is not believed where the answer was cut: %j', async (response, incomplete) => {
  const events = await answer(delta('half'), end({ status: 'completed', ...response }));
  expect(events.at(-1)).toMatchObject({ type: 'completed', incomplete });
  expect(events).toHaveLength(3);
});

test('an answer that was not cut is whole', async () => {
  const usage = { input_tokens: 1, output_tokens: 9 };
  const response = { status: 'completed', incomplete_details: null, max_output_tokens: 10, usage };
  const events = await answer(delta('ok'), end(response));
  expect(events.at(-1)).toEqual({ type: 'completed', usage: expect.anything() });
  expect((await answer(end({}))).at(-1)).toEqual({ type: 'completed', usage: null });
});

test('a call of an answer that was cut is not put together from its pieces', async () => {
  const cut = end({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } });
  expect(await items(added(call('')), piece('{}'), cut)).toEqual([]);
});

test('`completed` of an answer that failed is a failure', async () => {
  const failed = end({ status: 'failed', error: { code: 'insufficient_quota', message: 'Over.' } });
  await expect(answer(delta('ok'), failed)).rejects.toMatchObject({ reason: 'quota' });
});
