/** Recordings of Codex 0.171 (what its app-server has sent), played back: what people would have seen. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody, Usage } from '@tscodex/shared/events';
import type { Item } from '@tscodex/shared/items';
import { applyEvent, emptySession, type SessionState } from '@tscodex/shared/session-state';
import { expect, test } from 'vitest';
import { CodexEvents, type Notification } from './codex-events.ts';

const TURN = 'our-turn';

/** All turns of a recording as one, with what is folded of its events. */
function play(notifications: readonly Notification[]) {
  const events: EventBody[] = [];
  const used: Usage[] = [];
  const said: string[] = [];
  const codex = new CodexEvents(TURN, {
    emit: (event) => events.push(event),
    used: (usage) => used.push(usage),
    said: (id) => said.push(id),
    output: () => undefined,
    now: () => '2026-11-30T00:00:00.000Z',
  });
  for (const notification of notifications) codex.take(notification);
  codex.end(false);
  const begin = emptySession({ id: 's', workspaceId: 'w', cwd: '/', createdAt: '' });
  const state = events.reduce<SessionState>(
    (folded, event, at) => applyEvent(folded, { ...event, seq: at + 1 }),
    begin,
  );
  return { state, events, used, said, outcome: codex.outcome };
}

test.each([
  [null, { name: 'm' }, 'it did not say why'],
  ['', { name: 'm' }, 'it did not say why'],
  ['no such file', { name: 'm', reason: 'no such file' }, 'no such file'],
])('an MCP server that did not start, with %o, is told with what is known of it', (error, details, words) => {
  const params = { name: 'm', status: 'failed', error };
  const { state } = play([{ method: 'mcpServer/startupStatus/updated', params }]);
  expect(state.items).toMatchObject([{ code: 'codex.mcp', text: expect.stringContaining(words) }]);
  expect(state.items[0]).toHaveProperty('details', details);
});

function recording(name: string): Notification[] {
  const text = readFileSync(join(import.meta.dirname, 'fixtures', `${name}.jsonl`), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Notification);
}

/** An item in one line. */
function line(item: Item): string {
  const kinds: Readonly<Record<string, (() => string) | undefined>> = {
    userMessage: () => (item.type === 'userMessage' ? item.text : ''),
    agentMessage: () => (item.type === 'agentMessage' ? `${item.phase ?? '-'} ${item.text}` : ''),
    reasoning: () => (item.type === 'reasoning' ? `${item.summary.length} parts, ${item.text}` : ''),
    commandExecution: () =>
      item.type === 'commandExecution'
        ? `${item.command} → ${item.exitCode ?? '-'} ${item.output.trim()}`
        : '',
    fileChange: () =>
      item.type === 'fileChange'
        ? item.changes.map(({ kind, path, diff }) => `${kind} ${path} ${diff}`).join()
        : '',
    toolCall: () => (item.type === 'toolCall' ? `${item.server ?? '-'} ${item.name} → ${item.output}` : ''),
    plan: () => (item.type === 'plan' ? item.steps.map(({ status }) => status).join() : ''),
    notice: () => (item.type === 'notice' ? item.code : ''),
  };
  return `${item.type} ${item.status}: ${kinds[item.type]?.() ?? ''}`.trim();
}

const GOLDEN: Readonly<Record<string, readonly string[]>> = {
  'basic-turn': [
    'userMessage completed: SCN:phase say hello',
    'agentMessage completed: final Hello with a phase.',
  ],
  'command-approval-decline': [
    'userMessage completed: SCN:escalate write elsewhere',
    'commandExecution declined: touch /home/dev/elsewhere/esc.txt → -',
    'agentMessage completed: final Escalated command handled.',
  ],
  'reasoning-turn': [
    'userMessage completed: SCN:reasoning say hello',
    'reasoning completed: 2 parts, raw chain of thought',
    'agentMessage completed: final Hello after thinking.',
  ],
  'turn-interrupt-command': [
    'userMessage completed: SCN:sleepcmd sleep',
    'commandExecution interrupted: echo start; sleep 20; echo end → - start',
  ],
  'plan-updated': [
    'userMessage completed: SCN:plan make a plan',
    'plan completed: completed,inProgress,pending',
    'agentMessage completed: final Plan recorded.',
  ],
  'error-disconnect-once': [
    'userMessage completed: SCN:disconnect-once go',
    'agentMessage interrupted: - Cut of',
    'notice completed: model.retry',
    'agentMessage completed: final Recovered after the cut.',
  ],
  'file-approval-accept': [
    'userMessage completed: SCN:outside write elsewhere',
    'fileChange completed: add /home/dev/elsewhere/outside.txt @@ -0,0 +1,1 @@\n+outside',
    'agentMessage completed: final Tried outside.',
  ],
  'patch-in-workspace': [
    'userMessage completed: SCN:add create notes.txt',
    'fileChange completed: add /home/dev/project/notes.txt @@ -0,0 +1,2 @@\n+first line\n+second line',
    'agentMessage completed: final Added notes.txt.',
    'userMessage completed: SCN:update change notes.txt',
    'fileChange completed: update /home/dev/project/notes.txt @@ -1,2 +1,2 @@\n first line\n-second line\n+changed line',
    'agentMessage completed: final Updated notes.txt.',
  ],
  'thread-compact': [
    'userMessage completed: SCN:preamble list the files',
    'agentMessage completed: commentary I will list the files first.',
    'commandExecution completed: echo one; echo two → 0 one\ntwo',
    'agentMessage completed: final The command printed one and two.',
    'compaction completed:',
    'userMessage completed: SCN:phase after compaction',
    'agentMessage completed: final Hello with a phase.',
  ],
  'mcp-tool-call': [
    'userMessage completed: SCN:mcp add numbers',
    'toolCall completed: calc add → 5',
    'toolCall failed: calc fail → it failed: because',
    'agentMessage completed: final The sum is 5.',
    'userMessage completed: SCN:mcp-elicit ask',
    'toolCall completed: calc ask → elicit: {"action":"accept","content":{"unit":"m"}}',
    'agentMessage completed: final Asked.',
  ],
  'turn-steer': [
    'userMessage completed: SCN:steer run a slow command',
    'commandExecution completed: sleep 2; echo slept → 0 slept',
    'userMessage completed: SCN:steer-note also say steered',
    'agentMessage completed: final Steered answer.',
  ],
  'dynamic-tool-call': [
    'userMessage completed: SCN:dyn look up T-1',
    'toolCall completed: - lookup_ticket → T-1: open',
    'agentMessage completed: final Ticket T-1 is open.',
  ],
};

test.each(Object.entries(GOLDEN))('%s', (name, items) => {
  const { state } = play(recording(name));
  expect(state.items.map(line)).toEqual(items);
  expect(new Set(state.items.map(({ id }) => id)).size).toBe(items.length);
});

test('what it has said by then is told with the end of a turn, and what was used once', () => {
  const { outcome, used } = play(recording('basic-turn'));
  expect(outcome).toEqual({ status: 'completed', lastMessage: 'Hello with a phase.' });
  expect(used).toHaveLength(1);
  expect(play(recording('turn-interrupt-command')).outcome).toEqual({ status: 'interrupted' });
});

test('a failure says who has to do what', () => {
  expect(play(recording('error-http-401')).outcome).toMatchObject({
    status: 'failed',
    error: {
      code: 'codex.login',
      message: expect.stringMatching(/codex login.*another provider.*key/),
      details: { httpStatus: 401 },
    },
  });
  expect(play(recording('error-http-500')).outcome).toMatchObject({
    status: 'failed',
    error: { code: 'codex.turn', details: { kind: 'internalServerError' } },
  });
  const turn = {
    id: 't',
    status: 'failed',
    error: { message: 'No more today.', codexErrorInfo: 'usageLimitExceeded' },
  };
  expect(play([{ method: 'turn/completed', params: { turn } }]).outcome).toMatchObject({
    error: { code: 'codex.limit', message: expect.stringContaining('No more today.') },
  });
});

test('words stream as they come, and stay where they were cut', () => {
  const item = { type: 'agentMessage', id: 'm', text: '' };
  const { state, events } = play([
    { method: 'item/started', params: { turnId: 't', item } },
    { method: 'item/agentMessage/delta', params: { turnId: 't', itemId: 'm', delta: 'Half ' } },
    { method: 'item/agentMessage/delta', params: { turnId: 't', itemId: 'm', delta: 'a word' } },
  ]);
  expect(events.map(({ type }) => type)).toEqual([
    'item.started',
    'item.delta',
    'item.delta',
    'item.completed',
  ]);
  expect(state.items).toMatchObject([{ id: 't-m', text: 'Half a word', status: 'interrupted' }]);
});

test("a person's message that we sent is told by its id, and shown by whoever sent it", () => {
  const item = { type: 'userMessage', id: 'u', clientId: 'input-1', content: [{ type: 'text', text: 'Hi' }] };
  const { state, said } = play([
    { method: 'item/started', params: { turnId: 't', item } },
    { method: 'item/completed', params: { turnId: 't', item } },
  ]);
  expect(said).toEqual(['input-1']);
  expect(state.items).toEqual([]);
});

test('what nobody knows is a notice with all that it says, once a turn; nonsense harms nothing', () => {
  const unknown = { method: 'thread/dreamt', params: { of: 'sheep' } };
  const { state } = play([
    ...[unknown, unknown],
    { method: 'item/completed', params: { turnId: 't', item: { type: 'hologram', id: 'h', depth: 3 } } },
    { method: 'item/completed', params: null },
    { method: 'item/agentMessage/delta', params: { delta: 7 } },
    { method: 'turn/completed', params: 'over' },
  ]);
  expect(state.items).toMatchObject([
    { type: 'notice', code: 'codex.unknown', details: { method: 'thread/dreamt', params: { of: 'sheep' } } },
    { type: 'notice', code: 'codex.item', details: { kind: 'hologram', depth: 3 } },
    { code: 'codex.unknown', details: { method: 'item/completed' } },
    { code: 'codex.unknown', details: { method: 'item/agentMessage/delta' } },
    { code: 'codex.unknown', details: { method: 'turn/completed' } },
  ]);
});
