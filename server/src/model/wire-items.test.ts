import { expect, test } from 'vitest';
import type { ResponseItem } from '../base/response-items.ts';
import { personText } from '../base/said-by-people.ts';
import { WireItems } from './wire-items.ts';

const sent = (items: ResponseItem[], toolStyle: 'freeform' | 'function' = 'freeform') =>
  new WireItems().of(items, { toolStyle });

test('items of every kind go back as they came', () => {
  const items: ResponseItem[] = [
    { type: 'reasoning', id: 'rs_1', summary: [] },
    {
      type: 'reasoning',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'x' }],
      encrypted_content: 'e',
    },
    { type: 'reasoning', summary: [], content: [{ type: 'text', text: 'x' }] },
    { type: 'function_call', id: 'fc_1', call_id: 'f', name: 't', arguments: '{ "a": 1 }' },
    { type: 'function_call_output', call_id: 'f', output: 'done' },
    { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '*** Begin' },
    { type: 'custom_tool_call_output', call_id: 'c', output: 'done' },
    { type: 'web_search_call', raw: { type: 'web_search_call', id: 'w', status: 'completed' } },
    { type: 'other', raw: { type: 'brand_new', deep: { a: 1 } } },
  ];
  expect(sent(items)).toEqual([
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null },
    {
      type: 'reasoning',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'x' }],
      encrypted_content: 'e',
    },
    { type: 'reasoning', summary: [], encrypted_content: null },
    { type: 'function_call', id: 'fc_1', call_id: 'f', name: 't', arguments: '{ "a": 1 }' },
    { type: 'function_call_output', call_id: 'f', output: 'done' },
    { type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: '*** Begin' },
    { type: 'custom_tool_call_output', call_id: 'c', output: 'done' },
    { type: 'web_search_call', id: 'w', status: 'completed' },
    { type: 'brand_new', deep: { a: 1 } },
  ]);
});

test('an answer has all the parts that strict servers want', () => {
  const answer = (content: { type: 'output_text'; text: string }[]): ResponseItem => ({
    ...{ type: 'message', role: 'assistant', id: 'msg_1', phase: 'commentary' },
    content,
  });
  const part = (text: string) => ({ type: 'output_text' as const, text });
  const whole = { type: 'message', role: 'assistant', id: 'msg_1', phase: 'commentary', status: 'completed' };
  expect(sent([answer([part('a'), part('b')]), answer([])])).toEqual([
    {
      ...whole,
      content: [
        { ...part('a'), annotations: [] },
        { ...part('b'), annotations: [] },
      ],
    },
    { ...whole, content: [{ ...part(''), annotations: [] }] },
  ]);
});

test('an id of another kind becomes one that OpenAI takes, the same each time', () => {
  const call = (id: string): ResponseItem => ({
    type: 'function_call',
    id,
    call_id: 'c',
    name: 't',
    arguments: '{}',
  });
  const ids = (...given: string[]) => sent(given.map(call)).map(({ id }) => id);
  const [first, again, other, long] = ids('chatcmpl-1', 'chatcmpl-1', 'chatcmpl-2', `fc_${'x'.repeat(62)}`);
  expect(first).toMatch(/^fc_[\da-f-]{36}$/);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(long).toMatch(/^fc_[\da-f-]{36}$/);
  expect(ids('fc_1', 'rs_1')).toEqual(['fc_1', expect.stringMatching(/^fc_[\da-f-]{36}$/)]);
});

test.each(['{"pa', '[1]', '"text"', '17', 'null', ''])(
  'arguments that are no object go back in one: %s',
  (text) => {
    const [item] = sent([{ type: 'function_call', call_id: 'c', name: 't', arguments: text }]);
    expect(JSON.parse(item?.arguments as string)).toEqual({ no_json_object: text });
  },
);

test('a model that knows functions alone sees earlier calls of free text as such', () => {
  const items: ResponseItem[] = [
    { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c', name: 'apply_patch', input: '*** "x"' },
    { type: 'custom_tool_call_output', call_id: 'c', output: 'done' },
  ];
  expect(sent(items, 'function')).toEqual([
    {
      ...{ type: 'function_call', id: expect.stringMatching(/^fc_/), call_id: 'c', name: 'apply_patch' },
      arguments: '{"input":"*** \\"x\\""}',
    },
    { type: 'function_call_output', call_id: 'c', output: 'done' },
  ]);
});

test('whose words a message is no model is told', () => {
  const { by_person: _, ...plain } = personText('hello');
  expect(sent([personText('hello')])[0]).toStrictEqual(plain);
});

test('each item is made once for all requests of one form', () => {
  const wire = new WireItems();
  const items: ResponseItem[] = [{ type: 'message', role: 'user', content: [] }];
  const [first] = wire.of(items, { lite: true });
  expect(wire.of(items, { lite: true })[0]).toBe(first);
  expect(wire.of([...items], { lite: true })[0]).toBe(first);
  expect(wire.of(items, { lite: false })[0]).not.toBe(first);
});
