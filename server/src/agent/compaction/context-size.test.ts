import { expect, test } from 'vitest';
import { type ResponseItem, userText } from '../../base/response-items.ts';
import { ContextSize, tokensOf, tokensOfFixed, tokensOfText } from './context-size.ts';

const fixed = tokensOfFixed({ instructions: 'x'.repeat(400), tools: [] });

test('bytes count, not characters', () => {
  expect(tokensOfText('abcd')).toBe(1);
  expect(tokensOfText('四个汉字')).toBe(3);
  expect(tokensOfText('')).toBe(0);
});

test('an image weighs the same whatever its bytes', () => {
  const image = (bytes: number): ResponseItem => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(bytes)}` }],
  });
  expect(tokensOf([image(4_000_000)])).toBe(tokensOf([image(4)]));
  expect(tokensOf([image(4)])).toBeGreaterThan(1000);
});

test('every kind of item weighs what it holds', () => {
  const text = 'y'.repeat(4000);
  const items: ResponseItem[] = [
    userText(text),
    { type: 'reasoning', summary: [{ type: 'summary_text', text }] },
    { type: 'function_call', call_id: 'c', name: 'n', arguments: text },
    { type: 'custom_tool_call', call_id: 'c', name: 'n', input: text },
    { type: 'function_call_output', call_id: 'c', output: text },
    { type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_text', text }] },
    { type: 'other', raw: { type: 'new', text } },
  ];
  for (const item of items) expect(tokensOf([item]), item.type).toBeGreaterThan(999);
  for (const item of items) expect(tokensOf([item]), item.type).toBeLessThan(1050);
});

test('what was reported counts, and an estimate of what came since', () => {
  const size = new ContextSize();
  const history = [userText('z'.repeat(400))];
  expect(size.used(fixed, history)).toBe(fixed + tokensOf(history));
  history.push(userText('an answer'));
  size.reported(5000, history.length);
  expect(size.used(fixed, history)).toBe(5000);
  const more = userText('z'.repeat(4000));
  history.push(more);
  expect(size.used(fixed, history)).toBe(5000 + tokensOf([more]));
  expect(size.used(fixed, history)).toBe(5000 + tokensOf([more]));
  size.forget();
  expect(size.used(fixed, [more])).toBe(fixed + tokensOf([more]));
});
