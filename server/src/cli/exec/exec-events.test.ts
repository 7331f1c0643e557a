import type { EventBody, SessionEvent } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import { expect, test } from 'vitest';
import { ExecEvents } from './exec-events.ts';

const usage = (inputTokens: number, outputTokens: number) => ({
  ...{ inputTokens, outputTokens, cachedInputTokens: 0, reasoningTokens: 0 },
  totalTokens: inputTokens + outputTokens,
});
const item = (more: object) => ({ turnId: 't', status: 'completed', startedAt: '', ...more }) as Item;
const completed = (more: object): EventBody => ({ type: 'item.completed', item: item(more) });

function told(events: EventBody[], total: ReturnType<typeof usage> | null = null) {
  const all = new ExecEvents('thread', total);
  return events.flatMap((event, at) => all.take({ ...event, seq: at + 1 } as SessionEvent));
}

test('a command begins and ends under one number, what streams is not told', () => {
  const command = {
    ...{
      id: 'c',
      type: 'commandExecution',
      command: 'ls',
      cwd: '/w',
      outputBytes: 2,
      truncated: false,
      sandbox: 'none',
    },
  };
  expect(
    told([
      { type: 'item.started', item: item({ ...command, status: 'inProgress', output: '' }) },
      { type: 'item.delta', itemId: 'c', delta: 'a\n', field: 'output' },
      completed({ ...command, output: 'a\n', exitCode: 3, status: 'failed' }),
      completed({ id: 'm', type: 'agentMessage', text: 'Done.' }),
    ]),
  ).toEqual([
    {
      type: 'item.started',
      item: {
        id: 'item_0',
        type: 'command_execution',
        command: 'ls',
        aggregated_output: '',
        exit_code: null,
        status: 'in_progress',
      },
    },
    {
      type: 'item.completed',
      item: {
        id: 'item_0',
        type: 'command_execution',
        command: 'ls',
        aggregated_output: 'a\n',
        exit_code: 3,
        status: 'failed',
      },
    },
    { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'Done.' } },
  ]);
});

test('a patch names its files in order, a move as the change of the old one; one that is refused leaves nothing', () => {
  const changes = [
    { path: '/w/b', kind: 'move', movedTo: '/w/c', diff: '' },
    { path: '/w/a', kind: 'add', diff: '' },
  ];
  expect(
    told([
      completed({ id: 'p', type: 'fileChange', changes }),
      completed({ id: 'q', type: 'fileChange', changes, status: 'failed', error: 'it does not apply' }),
      completed({ id: 'r', type: 'fileChange', changes, status: 'declined' }),
    ]),
  ).toEqual([
    {
      type: 'item.completed',
      item: {
        ...{ id: 'item_0', type: 'file_change', status: 'completed' },
        changes: [
          { path: '/w/a', kind: 'add' },
          { path: '/w/b', kind: 'update' },
        ],
      },
    },
  ]);
});

test('plans of a turn are one list, which ends with it', () => {
  const plan = (id: string, status: string) =>
    completed({ id, type: 'plan', steps: [{ step: 'Look', status }] });
  const list = (completed: boolean) => ({
    id: 'item_0',
    type: 'todo_list',
    items: [{ text: 'Look', completed }],
  });
  const end: EventBody = { type: 'turn.completed', turnId: 't', status: 'completed', durationMs: 1 };
  expect(
    told([plan('1', 'inProgress'), plan('2', 'completed'), end]).map(({ type, item }) => [type, item]),
  ).toEqual([
    ['item.started', list(false)],
    ['item.updated', list(true)],
    ['item.completed', list(true)],
    ['turn.completed', undefined],
  ]);
});

test('usage is the total of the session, also of what came before', () => {
  const end: EventBody = { type: 'turn.completed', turnId: 't', status: 'completed', durationMs: 1 };
  expect(told([end], usage(5, 1)).at(-1)).toMatchObject({ usage: { input_tokens: 5, output_tokens: 1 } });
  const news: EventBody = { type: 'usage.updated', last: usage(2, 2), total: usage(7, 3) };
  expect(told([news, end], usage(5, 1)).at(-1)).toMatchObject({
    usage: { input_tokens: 7, output_tokens: 3 },
  });
});

test('a retry is an error that ends nothing, a failure is told once more with the end', () => {
  expect(
    told([
      { type: 'model.retrying', attempt: 1, max: 2, delayMs: 5, message: 'cut' },
      completed({ id: 'n', type: 'notice', level: 'warning', code: 'model.retry', text: 'cut' }),
      completed({ id: 'w', type: 'notice', level: 'warning', code: 'config.x', text: 'A warning.' }),
      completed({ id: 'e', type: 'notice', level: 'error', code: 'model.x', text: 'No.' }),
      {
        type: 'turn.completed',
        turnId: 't',
        status: 'failed',
        error: { code: 'model.x', message: 'No.' },
        durationMs: 1,
      },
    ]),
  ).toEqual([
    { type: 'error', message: 'Reconnecting... 1/2 (cut)' },
    { type: 'item.completed', item: { id: 'item_0', type: 'error', message: 'A warning.' } },
    { type: 'error', message: 'No.' },
    { type: 'turn.failed', error: { message: 'No.' } },
  ]);
});

test('what is done with other agents is told as calls, each with how they stand', () => {
  const agent = {
    ...{ id: 's', type: 'subAgent', agentId: 'a', nickname: 'Ada', prompt: 'dig', status: 'inProgress' },
    ...{ agentStatus: 'pending', message: null },
  };
  const call = (name: string, args: object, output?: string, status = 'completed') => {
    const given = { id: name, type: 'toolCall', name, arguments: JSON.stringify(args) };
    const begun = { ...given, status: 'inProgress' };
    return [
      { type: 'item.started' as const, item: item(begun) },
      completed({ ...given, status, ...(output === undefined ? {} : { output }) }),
    ];
  };
  const events = told([
    { type: 'item.started', item: item(agent) },
    { type: 'item.updated', item: item({ ...agent, agentStatus: 'running' }) },
    ...call('send_input', { id: 'a', message: 'more' }, '{"submission_id":"i"}'),
    completed({ ...agent, status: 'completed', agentStatus: 'completed', message: 'Dug.' }),
    ...call('wait_agent', { ids: ['a'] }, '{"status":{"a":{"completed":"Dug."}},"timed_out":false}'),
    ...call('wait_agent', { ids: ['a'] }, '{"status":{},"timed_out":true}'),
    ...call('close_agent', { id: 'a' }, '{"previous_status":{"completed":"Dug."}}'),
    ...call('resume_agent', { id: 'a' }, '{"status":"pending_init"}'),
    ...call('spawn_agent', { message: 'too many' }, 'spawn_agent: 6 agents are open', 'failed'),
    ...call('close_agent', 'no object' as never, undefined, 'failed'),
  ]);
  const all = events.map(({ type, item }): Record<string, unknown> => ({ at: type, ...(item as object) }));
  const of = { type: 'collab_tool_call', sender_thread_id: 'thread' };
  const state = (status: string, message: string | null) => ({ a: { status, message } });
  const ended = (id: string, tool: string, prompt: string | null, states: object) => [
    {
      at: 'item.started',
      id,
      ...of,
      tool,
      receiver_thread_ids: ['a'],
      prompt,
      agents_states: {},
      status: 'in_progress',
    },
    {
      at: 'item.completed',
      id,
      ...of,
      tool,
      receiver_thread_ids: ['a'],
      prompt,
      agents_states: states,
      status: 'completed',
    },
  ];
  const [spawned, ...rest] = all;
  expect(spawned).toEqual({
    ...{ at: 'item.started', id: 'item_0', ...of, tool: 'spawn_agent', prompt: 'dig' },
    ...{ receiver_thread_ids: [], agents_states: {}, status: 'in_progress' },
  });
  expect(rest.slice(0, 3)).toEqual([
    ended('item_0', 'spawn_agent', 'dig', state('pending_init', null))[1],
    ...ended('item_1', 'send_input', 'more', state('running', null)),
  ]);
  expect(all.filter(({ tool }) => tool === 'wait').slice(0, 4)).toEqual([
    ...ended('item_2', 'wait', null, state('completed', 'Dug.')),
    ...ended('item_2', 'wait', null, {}),
  ]);
  expect(all.filter(({ id }) => id === 'item_3')).toMatchObject([
    ...ended('item_3', 'close_agent', null, state('completed', 'Dug.')),
    {},
    { receiver_thread_ids: [], agents_states: {}, status: 'failed' },
  ]);
  expect(all.filter(({ id }) => id === 'item_4')).toEqual(
    ended('item_4', 'wait', null, state('pending_init', null)),
  );
  expect(all.filter(({ id }) => id === 'item_5').at(-1)).toMatchObject({
    ...{
      tool: 'spawn_agent',
      receiver_thread_ids: [],
      prompt: 'too many',
      agents_states: {},
      status: 'failed',
    },
  });
});
