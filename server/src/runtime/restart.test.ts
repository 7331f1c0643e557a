import { expect, test } from 'vitest';
import type { ToolCallItem } from '../base/response-items.ts';
import { cutCallItem, neverRan, planRestart, settled } from './restart.ts';

const call = (id: string): ToolCallItem => ({
  type: 'function_call',
  call_id: id,
  name: 'exec_command',
  arguments: '{"cmd":"make"}',
});
const turn = {
  id: 't',
  requestSent: true,
  started: new Set<string>(),
  asked: new Set<string>(),
  pending: [],
};

test.each([
  ['nothing sent yet', { requestSent: false }, 'again'],
  ['a request was under way', {}, 'cut'],
  ['a call waits for a person', { pending: [call('a')], asked: new Set(['a']) }, 'suspended'],
  [
    'one waits, another behind it has not begun',
    { pending: [call('a'), call('b')], asked: new Set(['a']) },
    'suspended',
  ],
  [
    'one waits, one beside it was running',
    { pending: [call('a'), call('b')], asked: new Set(['a']), started: new Set(['b']) },
    'cut',
  ],
  ['allowed and begun', { pending: [call('a')], asked: new Set(['a']), started: new Set(['a']) }, 'cut'],
  ['called, but nobody asked yet', { pending: [call('a')] }, 'cut'],
])('%s', (_when, saved, plan) => expect(planRestart({ ...turn, ...saved })).toBe(plan));

test('a command that was cut is shown as the command it was', () => {
  const at = '2026-01-02T03:04:05.000Z';
  expect(cutCallItem(call('a'), '01a00000-0000-7000-8000-000000000001', '/w', at)).toMatchObject({
    type: 'commandExecution',
    status: 'interrupted',
    command: 'make',
    cwd: '/w',
  });
  const broken = { ...call('a'), arguments: '{"cmd"' } as ToolCallItem;
  expect(cutCallItem(broken, '01a00000-0000-7000-8000-000000000001', '/w', at)).toMatchObject({
    type: 'toolCall',
    name: 'exec_command',
    arguments: '{"cmd"',
  });
});

test('what was in progress is interrupted, the rest stays as it is', () => {
  const item = {
    id: 'i',
    type: 'agentMessage' as const,
    turnId: 't',
    text: 'x',
    startedAt: 'then',
    status: 'completed' as const,
  };
  expect(settled(item, 'now')).toBe(item);
  expect(settled({ ...item, status: 'inProgress' }, 'now')).toMatchObject({
    status: 'interrupted',
    completedAt: 'now',
  });
  const agent = {
    ...{ id: 'i', type: 'subAgent' as const, turnId: 't', startedAt: 'then', status: 'inProgress' as const },
    ...{ agentId: 'a', nickname: 'Ada', prompt: 'dig', agentStatus: 'running' as const, message: 'half' },
  };
  expect(settled(agent, 'now')).toEqual({
    ...{ ...agent, status: 'interrupted', completedAt: 'now' },
    agentStatus: 'closed',
  });
});

test('a command has not run that ended without a word while nobody had answered', () => {
  const at = '2026-01-02T03:04:05.000Z';
  const cut = cutCallItem(call('a'), '01a00000-0000-7000-8000-000000000001', '/w', at);
  const withdrawn = { status: 'interrupted', decision: { outcome: 'withdrawn', by: null } };
  expect(neverRan(cut)).toMatchObject(withdrawn);
  // as Codex ends it, and as it records the end
  const ended = [
    { status: 'failed', exitCode: -1 },
    { output: 'Wall time: 0.8 seconds\naborted by user' },
  ] as const;
  for (const end of ended) expect(neverRan({ ...cut, ...end } as typeof cut)).toMatchObject(withdrawn);
  // asked about again: it had run, and met its sandbox
  for (const ran of [{ exitCode: 1 }, { output: 'Permission denied' }, { status: 'declined' }]) {
    const item = { ...cut, ...ran } as typeof cut;
    expect(neverRan(item)).toBe(item);
  }
});
