/** Recordings of `codex exec --json` (Codex 0.171), played back: what people would have seen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody, Usage } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import { applyEvent, emptySession, type SessionState } from '@tscodex/shared/session-state';
import { expect, test } from 'vitest';
import { ExecEvents } from './exec-events.ts';

function play(lines: readonly unknown[], said = new Set<string>()) {
  const events: EventBody[] = [];
  const totals: Usage[] = [];
  const threads: string[] = [];
  const outputs = new Map<string, string>();
  const codex = new ExecEvents(
    'our-turn',
    {
      emit: (event) => events.push(event),
      thread: (id) => threads.push(id),
      total: (usage) => totals.push(usage),
      output: (itemId, text) => outputs.set(itemId, text),
      edits: () => null,
      cwd: () => '/home/dev/project',
      now: () => '2026-11-30T00:00:00.000Z',
    },
    said,
  );
  for (const line of lines) codex.take(line);
  const { retrying, working } = codex;
  codex.end();
  const begin = emptySession({ id: 's', workspaceId: 'w', cwd: '/', createdAt: '' });
  const state = events.reduce<SessionState>(
    (folded, event, at) => applyEvent(folded, { ...event, seq: at + 1 }),
    begin,
  );
  return { state, events, totals, threads, outputs, outcome: codex.outcome, retrying, working };
}

function recording(name: string): unknown[] {
  const text = readFileSync(join(import.meta.dirname, 'fixtures', 'exec', `${name}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** An item in one line. */
function line(item: Item): string {
  const words = (): string => {
    switch (item.type) {
      case 'agentMessage':
        return item.text;
      case 'reasoning':
        return item.summary.join('|');
      case 'commandExecution':
        return `${item.command} → ${item.exitCode ?? '-'} ${item.output.trim()}`;
      case 'fileChange':
        return item.changes.map(({ kind, path }) => `${kind} ${path}`).join();
      case 'toolCall':
        return `${item.server} ${item.name} ${item.arguments} → ${item.output}`;
      case 'webSearch':
        return item.query;
      case 'plan':
        return item.steps.map(({ step, status }) => `${step}=${status}`).join();
      case 'notice':
        return item.code;
      default:
        return '?';
    }
  };
  return `${item.type} ${item.status}: ${words()}`.trim();
}

const GOLDEN: Readonly<Record<string, readonly string[]>> = {
  plain: ['agentMessage completed: Hello with a phase.'],
  resume: ['agentMessage completed: Hello with a phase.'],
  command: [
    'agentMessage completed: I will list the files first.',
    'commandExecution completed: echo one; echo two → 0 one\ntwo',
    'agentMessage completed: The command printed one and two.',
  ],
  'command-failed': [
    'commandExecution failed: echo oops >&2; exit 3 → 3 oops',
    'agentMessage completed: The command failed with exit code 3.',
  ],
  'command-parallel': [
    'commandExecution completed: echo beta → 0 beta',
    'commandExecution completed: echo alpha → 0 alpha',
    'agentMessage completed: Both ran.',
  ],
  // it has ended with its process
  'command-still-running': [
    'commandExecution interrupted: echo start; sleep 3; echo end → -',
    'agentMessage completed: Still running.',
  ],
  reasoning: [
    'reasoning completed: **Thinking about it**\n\nThe user wants a greeting.\n**Deciding**\n\nSay hello.',
    'agentMessage completed: Hello after thinking.',
  ],
  'patch-update': [
    'fileChange completed: update /home/dev/project/notes.txt',
    'agentMessage completed: Updated notes.txt.',
  ],
  'patch-move': [
    'fileChange completed: add /home/dev/project/extra.txt,update /home/dev/project/notes.txt',
    'agentMessage completed: Moved.',
  ],
  'mcp-tool-call': [
    'toolCall completed: calc add {"a":2,"b":3} → 5',
    'toolCall failed: calc fail {"why":"because"} → it failed: because',
    'agentMessage completed: The sum is 5.',
  ],
  'web-search': ['webSearch completed: weather seattle', 'agentMessage completed: It rains.'],
  'todo-list': [
    'plan completed: Read the code=completed,Change the code=pending,Run the tests=pending',
    'agentMessage completed: Plan recorded.',
  ],
  'two-messages': ['agentMessage completed: First message.', 'agentMessage completed: Second message.'],
  'unknown-model-warning': ['notice completed: codex.warning', 'agentMessage completed: Hello with a phase.'],
  'stream-disconnect-recovered': [
    'notice completed: model.retry',
    'agentMessage completed: Recovered after the cut.',
  ],
  'empty-response': [],
  'model-error': [],
  'http-401': ['notice failed: model.retry'],
  'sigint-mid-turn': [],
};

test.each(Object.entries(GOLDEN))('%s', (name, items) => {
  const { state } = play(recording(name));
  expect(state.items.map(line)).toEqual(items);
  expect(new Set(state.items.map(({ id }) => id)).size).toBe(items.length);
  expect(state.items.every(({ status }) => status !== 'inProgress')).toBe(true);
});

test('a turn has the last message as its answer, the thread it is on, and what all of that has used', () => {
  const { outcome, threads, totals } = play(recording('resume'));
  expect(outcome).toEqual({ status: 'completed', lastMessage: 'Hello with a phase.' });
  expect(threads).toEqual(['01a22a5e-0d65-7973-84c3-c1b15c5ba631']);
  expect(totals).toEqual([
    { inputTokens: 3800, cachedInputTokens: 1900, outputTokens: 130, reasoningTokens: 0, totalTokens: 3930 },
  ]);
  expect(play(recording('empty-response')).outcome).toEqual({ status: 'completed', lastMessage: null });
  expect(play(recording('sigint-mid-turn')).outcome).toBeNull();
});

test.each([
  ['http-401', { code: 'codex.login', details: { httpStatus: 401 } }],
  ['http-429', { code: 'codex.limit', details: { kind: 'rateLimitExceeded' } }],
  ['http-429-usage-limit', { code: 'codex.limit', details: { kind: 'usageLimitExceeded' } }],
  ['http-500', { code: 'codex.turn', message: expect.stringContaining('high demand') }],
  ['model-error', { code: 'codex.turn', details: { reason: 'The fake model refused this prompt.' } }],
])('%s says who has to do what', (name, error) => {
  expect(play(recording(name)).outcome).toMatchObject({ status: 'failed', error });
});

test('a login that has ended is told with the command that mends it', () => {
  const message = 'Your access token could not be refreshed. Please log out and sign in again.';
  expect(play([{ type: 'turn.failed', error: { message } }]).outcome).toMatchObject({
    error: { code: 'codex.login', message: expect.stringContaining('codex login') },
  });
});

test('what is tried again for ever is one notice, and says why', () => {
  const { state, retrying, outcome } = play(recording('connection-refused'));
  expect(state.items.map(line)).toEqual(['notice failed: model.retry']);
  expect(retrying).toBe('Connection failed: error sending request');
  expect(outcome).toBeNull();
});

test('an error is a notice; only what the turn fails of is told by that alone', () => {
  const error = (message: string) => ({ type: 'error', message });
  const { state, outcome } = play([
    error('first'),
    error('second'),
    { type: 'turn.failed', error: { message: 'second' } },
  ]);
  expect(state.items).toMatchObject([{ code: 'codex.warning', text: 'first' }]);
  expect(outcome).toMatchObject({ status: 'failed' });
  const went = play([error('only'), { type: 'turn.completed', usage: null }]);
  expect(went.state.items).toMatchObject([{ code: 'codex.warning', text: 'only' }]);
  expect(went.outcome).toMatchObject({ status: 'completed' });
});

test('a warning that people have read is not told with the next turn; one about our own table never', () => {
  const said = new Set<string>();
  const lines = recording('unknown-model-warning');
  expect(play(lines, said).state.items).toHaveLength(2);
  expect(play(lines, said).state.items.map(({ type }) => type)).toEqual(['agentMessage']);
  const message = 'Codex is ignoring 1 unrecognized config key: `tscodex` is ignored.';
  const own = { type: 'item.completed', item: { id: 'item_0', type: 'error', message } };
  expect(play([own]).state.items).toEqual([]);
});

test('work is under way from its start to its end', () => {
  const item = { id: 'item_0', type: 'command_execution', command: 'make', status: 'in_progress' };
  const begun = { type: 'item.started', item };
  expect(play([begun]).working).toBe(true);
  const done = { ...item, aggregated_output: 'x'.repeat(200_000), exit_code: 0, status: 'completed' };
  const { working, outputs, state } = play([begun, { type: 'item.completed', item: done }]);
  expect(working).toBe(false);
  expect(outputs.get('our-turn-item_0')).toHaveLength(200_000);
  expect(state.items).toMatchObject([{ truncated: true, outputBytes: 200_000, cwd: '/home/dev/project' }]);
});

test('what nobody knows is told once with all that it says; nonsense harms nothing', () => {
  const { state } = play([
    ...[null, 7, 'text', [], {}, { type: 8 }, { type: 'constructor' }],
    ...[
      { type: 'dream', of: 'sheep' },
      { type: 'dream', of: 'wolves' },
    ],
    { type: 'item.completed', item: { id: 'item_0', type: 'hologram', depth: 3 } },
    { type: 'item.completed', item: { id: 'item_1', type: 'file_change', changes: [{ kind: 'add' }, 9] } },
    { type: 'item.completed', item: null },
    { type: 'error', message: 9 },
    { type: 'turn.completed', usage: { input_tokens: -1 } },
  ]);
  expect(state.items).toMatchObject([
    { code: 'codex.unknown', details: { method: 'constructor' } },
    { code: 'codex.unknown', details: { method: 'dream', params: { of: 'sheep' } } },
    { code: 'codex.item', details: { kind: 'hologram', depth: 3 } },
    { type: 'fileChange', changes: [] },
    { code: 'codex.unknown', details: { method: 'item.completed' } },
    { code: 'codex.unknown', details: { method: 'error' } },
  ]);
});
