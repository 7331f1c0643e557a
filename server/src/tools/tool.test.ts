import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineCustomTool, defineTool, type ToolContext } from './tool.ts';

// none of the tools below looks at its context
const context = {} as ToolContext;

const free = defineTool({
  name: 'free',
  description: '\nNeeds nothing.\n',
  parameters: z.strictObject({ note: z.string().optional() }),
  shows: 'toolCall',
  run: async (args) => ({ output: JSON.stringify(args), success: true }),
});

const read = defineTool({
  name: 'read',
  description: 'Reads.',
  parameters: z.strictObject({ path: z.string().describe('Which file.') }),
  parallel: true,
  shows: 'toolCall',
  run: async ({ path }) => ({ output: path, success: true }),
});

test.each(['', '  ', '{}', 'null', ' {} \n'])('O-B5: %j stands for no arguments', async (raw) => {
  expect(await free.call(raw, context)).toEqual({ output: '{}', success: true });
});

test('O-B5: arguments that were cut are not run', async () => {
  const result = await read.call('{"pa', context);
  expect(result.success).toBe(false);
  expect(result.output).toMatch(/^read: the arguments are not valid JSON .*; nothing was run$/);
});

test.each([
  ['{}', /path/],
  ['', /path/],
  ['null', /path/],
  ['{"path":1}', /expected string/],
  ['{"path":"a","more":1}', /more/],
  ['[]', /expected object/],
  ['"a"', /expected object/],
])('arguments that do not fit (%j) become a result that says so', async (raw, reason) => {
  const result = await read.call(raw, context);
  expect(result.success).toBe(false);
  expect(result.output).toMatch(/^read: /);
  expect(result.output).toMatch(reason);
});

test('a tool shows the model its schema', async () => {
  expect(await read.call('{"path":"a"}', context)).toEqual({ output: 'a', success: true });
  expect(read.parallel).toBe(true);
  expect(free.spec.description).toBe('Needs nothing.');
  expect(read.spec).toEqual({
    type: 'function',
    name: 'read',
    description: 'Reads.',
    strict: false,
    parameters: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Which file.' } },
      required: ['path'],
      additionalProperties: false,
    },
  });
});

test('a custom tool takes its input as it is', async () => {
  const echo = defineCustomTool({
    name: 'echo',
    description: 'Echoes.',
    grammar: 'start: /.*/',
    shows: 'own',
    run: async (input) => ({ output: input, success: true }),
  });
  expect(await echo.call(' {"a', context)).toEqual({ output: ' {"a', success: true });
  expect(echo.spec).toEqual({
    type: 'custom',
    name: 'echo',
    description: 'Echoes.',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: /.*/' },
  });
});
