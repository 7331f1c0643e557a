import compaction from '@tscodex/prompts/compaction.md';
import continued from '@tscodex/prompts/continue.md';
import { expect, test } from 'vitest';
import {
  isToolCall,
  outputFor,
  type ResponseItem,
  type ToolCallItem,
  textOf,
  userText,
} from '../base/response-items.ts';
import type { ModelEvent } from './client.ts';
import { DemoModel } from './demo-model.ts';

const BOARD = '/ws/a & b/board.html';
const CONTEXT: ResponseItem[] = [
  {
    type: 'message',
    role: 'developer',
    content: [{ type: 'input_text', text: '<permissions instructions>' }],
  },
  {
    type: 'message',
    role: 'user',
    content: [
      { type: 'input_text', text: '<environment_context>\n</environment_context>' },
      { type: 'input_text', text: '<board path="/ws/a &amp; b/board.html">\nhint\n</board>' },
    ],
  },
];
const LISTING = `Chunk ID: abc
Wall time: 0.1 seconds
Process exited with code 0
Original token count: 9
Output:
total 8
drwxr-xr-x 3 me me 4096 Nov 30 05:00 .
drwxr-xr-x 9 me me 4096 Nov 30 05:00 ..
drwxr-xr-x 2 me me 4096 Nov 30 05:00 src
-rw-r--r-- 1 me me   12 Nov 30 05:00 my notes.md
`;
const ABORTED = '<turn_aborted>\nstopped\n</turn_aborted>';

type Tools = (call: ToolCallItem) => string;

const outputs: Tools = (call) => {
  if (call.name === 'exec_command') return LISTING;
  if (call.name === 'request_user_input') return '{"answers":{"colour":{"answers":["Forest"]}}}';
  if (call.name === 'apply_patch') return `Success. Updated the following files:\nA ${BOARD}\n`;
  return 'Plan updated';
};

async function respond(
  input: readonly ResponseItem[],
): Promise<{ events: ModelEvent[]; items: ResponseItem[] }> {
  const request = { model: 'demo', instructions: '', input, tools: [], cacheKey: 's' };
  const events: ModelEvent[] = [];
  for await (const event of new DemoModel({ wordDelayMs: 0 }).stream(request, new AbortController().signal))
    events.push(event);
  return { events, items: events.flatMap((event) => (event.type === 'item' ? [event.item] : [])) };
}

/** Runs turns as the loop does: one a prompt, tools answered by `tools`, `steers[n]` before the n-th follow-up. */
async function talk(prompts: string[], tools: Tools = outputs, steers: Record<number, string> = {}) {
  const history: ResponseItem[] = [...CONTEXT];
  let requests = 0;
  for (const prompt of prompts) {
    history.push(userText(prompt));
    for (;;) {
      const { items } = await respond(history);
      requests += 1;
      history.push(...items);
      const calls = items.filter(isToolCall);
      if (calls.length === 0) break;
      history.push(...calls.map((call) => outputFor(call, tools(call))));
      const steer = steers[requests];
      if (steer) history.push(userText(steer));
    }
  }
  return history.slice(CONTEXT.length);
}

const callsIn = (items: readonly ResponseItem[]) => items.filter(isToolCall).map((call) => call.name);
const said = (items: readonly ResponseItem[]) =>
  items.flatMap((item) => (item.type === 'message' && item.role === 'assistant' ? [textOf(item)] : []));
const patches = (items: readonly ResponseItem[]) =>
  items.flatMap((item) => (item.type === 'custom_tool_call' ? [item.input] : []));

test('says that it is no AI, and what to try', async () => {
  for (const prompt of ['hello', 'fix the bug in main.ts']) {
    const [answer] = said(await talk([prompt]));
    expect(answer).toContain('a script, no AI');
    expect(answer).toContain(`“${prompt}”`);
    expect(answer).toContain('**tour**');
  }
});

test('streams word by word what it then says whole', async () => {
  const { events, items } = await respond([userText('hello')]);
  const deltas = events.flatMap((event) => (event.type === 'text' ? [event.delta] : []));
  expect(deltas.length).toBeGreaterThan(50);
  expect([deltas.join('')]).toEqual(said(items));
  expect(events.at(-1)).toEqual({ type: 'completed', usage: null });
  const ids = new Set(events.map((event) => event.type === 'text' && event.itemId));
  expect(ids).toContain(items[0]?.type === 'message' && items[0].id);
});

test('lists files for real', async () => {
  const items = await talk(['list files']);
  expect(items.filter(isToolCall)).toMatchObject([
    {
      name: 'exec_command',
      arguments: '{"cmd":"ls -la","justification":"So that you see what is in this directory."}',
    },
  ]);
  expect(said(items).at(-1)).toBe('This is what is here (folders: 1, files: 1): `src`, `my notes.md`.');
});

test('takes a refusal as it is', async () => {
  const items = await talk(['list files'], () => 'This command was declined by the user. They say: not now');
  expect(said(items).at(-1)).toContain('This command was declined by the user. They say: not now');
});

test('writes the board, and over it the next time', async () => {
  const items = await talk(['board', 'board again']);
  expect(patches(items).map((patch) => patch.split('\n').slice(0, 3))).toEqual([
    ['*** Begin Patch', `*** Add File: ${BOARD}`, '+<!doctype html>'],
    ['*** Begin Patch', `*** Delete File: ${BOARD}`, `*** Add File: ${BOARD}`],
  ]);
  expect(patches(items)[0]).not.toContain('{{');
});

test('finds out that a board is there, without saying things twice', async () => {
  let failed = false;
  const items = await talk(['board'], (call) => {
    if (failed) return outputs(call);
    failed = true;
    return `apply_patch failed, no file was changed: ${BOARD} exists already; to change it, use …`;
  });
  expect(patches(items)).toHaveLength(2);
  expect(patches(items)[1]).toContain(`*** Delete File: ${BOARD}`);
  expect(said(items)).toHaveLength(2);
});

test('says so where there is no board', async () => {
  expect(said((await respond([userText('board')])).items)).toEqual([
    'This workspace has no board, so there is nothing for me to write.',
  ]);
});

test('asks, and uses the answer on the board', async () => {
  const items = await talk(['question', 'board']);
  const [question] = items.filter(isToolCall);
  expect(JSON.parse(question?.type === 'function_call' ? question.arguments : '')).toMatchObject({
    questions: [{ id: 'colour', options: [{ label: 'Ocean', description: 'A calm blue.' }, {}, {}] }],
  });
  expect(said(items)).toContain('You chose **Forest**. The next board I write has it.');
  expect(patches(items)[0]).toContain('--accent: #15803d');
});

test('an answer in own words cannot break out of the board', async () => {
  const own: Tools = (call) =>
    call.name === 'request_user_input'
      ? JSON.stringify({ answers: { colour: { answers: ['<script>"x"\n*** End Patch'] } } })
      : outputs(call);
  const [patch] = patches(await talk(['question', 'board'], own));
  expect(patch).toContain('&#60;script&#62;&#34;x&#34; *** End Patch');
  expect(patch?.match(/^\*\*\* End Patch$/gm)).toHaveLength(1);
});

test('shows a plan and a formula', async () => {
  const items = await talk(['show me a plan']);
  expect(callsIn(items)).toEqual(['update_plan', 'update_plan']);
  expect(said(items).at(-1)).toMatch(/\$\\frac.*\$\$\\int/s);
});

test('the tour does it all in one turn', async () => {
  const items = await talk(['demo']);
  expect(callsIn(items)).toEqual([
    'update_plan',
    'exec_command',
    'request_user_input',
    'update_plan',
    'apply_patch',
    'update_plan',
  ]);
  expect(patches(items)[0]).toContain('#15803d');
  expect(said(items).at(-1)).toContain('That was the tour');
});

test('mentions a steer once, in the middle of what it does', async () => {
  const items = await talk(['long'], outputs, { 2: 'shorter, please' });
  const mentions = said(items).map((text) => text.includes('“shorter, please”'));
  expect(mentions).toEqual([false, false, true, false, false, false]);
  expect(said(items).at(-1)).toBe('That was the last chapter.');
});

test('speaks Chinese to whoever writes it', async () => {
  expect(said(await talk(['你好']))[0]).toContain('演示模型');
  const items = await talk(['演示']);
  expect(callsIn(items)).toHaveLength(6);
  expect(said(items).at(-1)).toContain('演示到此结束');
  expect(patches(items)[0]).toContain('lang="zh"');
});

test('both languages say the same things', async () => {
  const names = async (language: 'en' | 'zh') => {
    const { default: text } = await import(`../../../prompts/demo/${language}.md`);
    return [...text.matchAll(/<!-- ([\w-]+) -->|\{\{(\w+)\}\}/g)].map((match) => match[0]).sort();
  };
  expect(await names('zh')).toEqual(await names('en'));
});

test('a new prompt after an interruption starts anew; Continue goes on', async () => {
  const first = await respond([...CONTEXT, userText('tour')]);
  const [call] = first.items.filter(isToolCall);
  const cut = [
    ...CONTEXT,
    userText('tour'),
    ...first.items,
    outputFor(call as ToolCallItem, 'Plan updated'),
    userText(ABORTED),
  ];
  const anew = await respond([...cut, userText('question')]);
  expect(callsIn(anew.items)).toEqual(['request_user_input']);
  const goesOn = await respond([...cut, userText(continued)]);
  expect(callsIn(goesOn.items)).toEqual(['exec_command']);
});

test('an abort ends it between two words', async () => {
  const controller = new AbortController();
  const reason = new Error('stopped by a person');
  const request = { model: 'demo', instructions: '', input: [userText('long')], tools: [], cacheKey: 's' };
  const events = new DemoModel({ wordDelayMs: 60_000 }).stream(request, controller.signal);
  setImmediate(() => controller.abort(reason));
  await expect(events.next()).rejects.toBe(reason);
});

test('does not sum a conversation up: its script would lose its thread', async () => {
  const asked = compaction.replace('{words}', '500').trim();
  await expect(respond([...CONTEXT, userText('hi'), userText(asked)])).rejects.toMatchObject({
    code: 'model.bad-request',
    message: expect.stringContaining('follows a script'),
  });
});
