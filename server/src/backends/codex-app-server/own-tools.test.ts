import { expect, test } from 'vitest';
import { clock } from '../../tools/clock.ts';
import { foreignTools } from '../../tools/registry.ts';
import { answerToolCall, dynamicTools } from './own-tools.ts';

/** What a call of Codex's is answered, and the periods that the clock was set to. */
async function called(params: unknown) {
  const set: (number | null)[] = [];
  const context = { setClock: async (minutes: number | null) => void set.push(minutes) };
  return { answer: await answerToolCall(params, [clock], context), set };
}

test('a tool is carried out, and its result is what our own agent would read', async () => {
  const { answer, set } = await called({ tool: 'clock', arguments: { period_m: 5 } });
  expect(set).toEqual([5]);
  const text = '{"enabled":true,"period_m":5}';
  expect(answer).toEqual({ contentItems: [{ type: 'inputText', text }], success: true });
});

test.each([
  { tool: 'clock', arguments: { period_m: 0 } },
  { tool: 'clock', arguments: 'five' },
  { tool: 'clock' },
  { tool: 'rm', arguments: {} },
])('a call that cannot be carried out is a result that says so: %j', async (params) => {
  const { answer, set } = await called(params);
  expect(answer).toMatchObject({ contentItems: [{ text: expect.stringContaining(params.tool) }] });
  expect(answer).toMatchObject({ success: false });
  expect(set).toEqual([]);
});

test('what is no call has no answer', async () => {
  expect((await called(null)).answer).toBeNull();
});

test('Codex is told of the tools that the configuration leaves, and a sub-agent of none', () => {
  const all = { toolset: null, disabledTools: [] };
  const top = { isSubAgent: false };
  expect(dynamicTools(foreignTools(all, top))).toMatchObject([
    { type: 'function', name: 'clock', inputSchema: { type: 'object', required: ['period_m'] } },
  ]);
  expect(foreignTools({ ...all, disabledTools: ['clock'] }, top)).toEqual([]);
  expect(foreignTools({ ...all, toolset: ['exec_command'] }, top)).toEqual([]);
  expect(foreignTools(all, { isSubAgent: true })).toEqual([]);
});
