import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Approval, Question } from '@tscodex/shared/asks';
import type { EventBody } from '@tscodex/shared/events';
import { afterAll, expect, test } from 'vitest';
import { CodexRules } from '../../approvals/codex-rules.ts';
import { Rules } from '../../approvals/rules.ts';
import type { FormAnswer } from '../../tools/tool.ts';
import type { BackendHost } from '../backend.ts';
import { CodexEvents } from '../codex-events/codex-events.ts';
import { answerTo } from './asks.ts';

const home = mkdtempSync(join(tmpdir(), 'tscodex-codex-asks-'));
afterAll(() => rmSync(home, { recursive: true }));
const rules = new CodexRules(new Rules(home));

/** What people are shown of what Codex asks, what they would allow, and what Codex hears once they have. */
async function asked(about: Record<string, unknown>) {
  const shown: Approval[] = [];
  const remembered: (readonly string[])[] = [];
  const told: string[] = [];
  const signal = new AbortController().signal;
  const host = {
    emit: () => undefined,
    allowedBy: () => null,
    asking: () => ({
      approve: async (approval: Approval, keys: string[]) => {
        shown.push(approval);
        remembered.push(keys);
        return { allowed: true, scope: 'once' };
      },
    }),
  } as unknown as BackendHost;
  const events = new CodexEvents('turn', {
    ...{ emit: () => undefined, used: () => undefined, said: () => undefined, output: () => undefined },
    now: () => '2026-11-30T00:00:00.000Z',
  });
  const params = { turnId: 't', itemId: 'i', cwd: '/repo', ...about };
  const answer = await answerTo(
    { id: 1, method: 'item/commandExecution/requestApproval', params },
    { ...{ host, rules, turnId: 'turn', events, signal }, tell: async (words) => void told.push(words) },
  );
  return { answer, shown, remembered: remembered.flat().join(), told };
}

test('people see the line that a shell of the system runs', async () => {
  const { answer, shown } = await asked({ command: "/bin/bash -lc 'git status'" });
  expect(shown).toMatchObject([{ command: 'git status', cwd: '/repo' }]);
  expect(answer).toEqual({ decision: 'accept' });
});

test.each(['/repo/x/bash', './bash', 'bash', '/bin/../repo/bash', '/repo/usr/bin/bash'])(
  'a shell that may be of the making of the agent is shown: %s',
  async (shell) => {
    const command = `${shell} -lc 'git status'`;
    const system = await asked({ command: "/bin/bash -lc 'git status'" });
    const own = await asked({ command });
    expect(own.shown).toMatchObject([{ command }]);
    expect(own.remembered).not.toBe(system.remembered);
  },
);

test.each([
  { additionalPermissions: { fileSystem: { write: ['/home'] } } },
  { networkApprovalContext: { host: 'example.org', protocol: 'https' } },
])('what would come with a command unseen is declined, with a way out: %j', async (more) => {
  const { answer, shown, told } = await asked({ command: "/bin/bash -lc 'git status'", ...more });
  expect(answer).toEqual({ decision: 'decline' });
  expect(shown).toEqual([]);
  expect(told).toEqual([expect.stringContaining('without further permissions')]);
});

test.each([
  ['npm test', ['npm', 'test'], { rule: ['npm', 'test'] }],
  ['git status', ['git', 'status'], { noRule: 'git' }],
  ['/usr/bin/git status', ['/usr/bin/git', 'status'], { noRule: 'git' }],
])(
  'of what Codex follows without a look at the repository no rule is offered: %s',
  async (line, rule, offered) => {
    const command = `/bin/bash -lc '${line}'`;
    const { shown } = await asked({ command, proposedExecpolicyAmendment: rule });
    expect(shown).toEqual([{ what: 'command', command: line, cwd: '/repo', ...offered }]);
  },
);

test.each([
  ['mkdir -p one', ['mkdir', '-p'], { rule: ['mkdir', '-p', 'one'] }],
  ['python3 run.py', ['python3', 'run.py'], { noRule: 'program' }],
  ['npm', ['npm'], { noRule: 'short' }],
  ['rm -rf build', ['rm', '-rf', 'build'], { noRule: 'risk' }],
])('what would be refused as a rule is not offered: %s', async (line, rule, offered) => {
  const command = `/bin/bash -lc '${line}'`;
  const { shown } = await asked({ command, proposedExecpolicyAmendment: rule });
  expect(shown).toEqual([{ what: 'command', command: line, cwd: '/repo', ...offered }]);
});

test('a place in the network is asked about by itself', async () => {
  const { shown } = await asked({ networkApprovalContext: { host: 'example.org', protocol: 'https' } });
  expect(shown).toMatchObject([{ command: 'https://example.org' }]);
});

/** What Codex hears of an MCP server's request once people have given this answer; what they were asked. */
async function elicited(about: Record<string, unknown>, answer: FormAnswer) {
  const shown: unknown[] = [];
  const emitted: EventBody[] = [];
  const host = {
    emit: (event: EventBody) => emitted.push(event),
    asking: () => ({
      form: async (from: object, questions: Question[]) => {
        shown.push({ from, questions });
        return answer;
      },
    }),
  } as unknown as BackendHost;
  const events = new CodexEvents('turn', {
    ...{ emit: host.emit, used: () => undefined, said: () => undefined, output: () => undefined },
    now: () => '2026-11-30T00:00:00.000Z',
  });
  const params = { turnId: 't', serverName: 'forms', message: 'Please.', ...about };
  const reply = await answerTo(
    { id: 1, method: 'mcpServer/elicitation/request', params },
    {
      ...{ host, rules, turnId: 'turn', events, signal: new AbortController().signal },
      tell: async () => undefined,
    },
  );
  return { reply, shown, emitted };
}

const FORM = {
  mode: 'form',
  requestedSchema: { type: 'object', properties: { n: { type: 'integer' } } },
};

test('a form of an MCP server is filled in, declined or put off by people', async () => {
  const filled = await elicited(FORM, { answers: { 'field-0': ['5'] } });
  expect(filled.shown).toMatchObject([
    { from: { server: 'forms', message: 'Please.' }, questions: [{ question: 'n' }] },
  ]);
  expect(filled.reply).toEqual({ action: 'accept', content: { n: 5 } });
  for (const refuse of ['decline', 'cancel'] as const)
    expect((await elicited(FORM, { refuse })).reply).toEqual({ action: refuse, content: null });
});

test('a page of one is shown with its whole address', async () => {
  const url = 'https://example.org/login?next=1';
  const { reply, shown } = await elicited({ mode: 'url', url }, { answers: {} });
  expect(shown).toMatchObject([{ from: { url }, questions: [] }]);
  expect(reply).toEqual({ action: 'accept', content: null });
});

test.each([
  { mode: 'url', url: 'javascript:alert(1)' },
  { mode: 'url', url: 'no url' },
  { mode: 'form', requestedSchema: { type: 'object', properties: { a: { type: 'object' } } } },
  { mode: 'openai/form', requestedSchema: {} },
  { mode: 'openai/userVerification', challenge: 'x' },
])('what cannot be shown is declined, and people are told: %j', async (about) => {
  const { reply, shown, emitted } = await elicited(about, { answers: {} });
  expect(reply).toEqual({ action: 'decline', content: null });
  expect(shown).toEqual([]);
  expect(emitted).toMatchObject([{ type: 'item.completed', item: { code: 'codex.elicitation' } }]);
});

test('a question stands in the conversation, with what was answered', async () => {
  const emitted: EventBody[] = [];
  const host = {
    asking: () => ({ question: async () => ({ size: ['Large'] }) }),
  } as unknown as BackendHost;
  const events = new CodexEvents('turn', {
    ...{ used: () => undefined, said: () => undefined, output: () => undefined },
    emit: (event) => emitted.push(event),
    now: () => '2026-11-30T00:00:00.000Z',
  });
  const questions = [{ id: 'size', header: 'Size', question: 'Which size?', options: null }];
  const reply = await answerTo(
    { id: 1, method: 'item/tool/requestUserInput', params: { turnId: 't', itemId: 'call', questions } },
    {
      ...{ host, rules, turnId: 'turn', events, signal: new AbortController().signal },
      tell: async () => undefined,
    },
  );
  expect(reply).toEqual({ answers: { size: { answers: ['Large'] } } });
  const item = { id: 't-call', type: 'toolCall', turnId: 'turn', name: 'request_user_input' };
  expect(emitted).toMatchObject([
    { type: 'item.started', item: { ...item, status: 'inProgress' } },
    {
      type: 'item.completed',
      item: { ...item, status: 'completed', output: '{"answers":{"size":{"answers":["Large"]}}}' },
    },
  ]);
});
