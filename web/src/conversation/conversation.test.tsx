// @vitest-environment happy-dom
import type { Decision, Item } from '@tscodex/shared/items';
import { OUTPUT_HEAD } from '@tscodex/shared/limits';
import type { SessionState } from '@tscodex/shared/session-state';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Conversation } from './conversation.tsx';
import { button, click, mount, query, server, session } from './testing.ts';

const at = { turnId: 't', status: 'completed', startedAt: '2026-01-01T00:00:00.000Z' } as const;
const command = {
  ...at,
  id: 'c',
  type: 'commandExecution',
  command: 'make',
  cwd: '/srv/lab',
  output: 'all good',
  outputBytes: 8,
  truncated: false,
  exitCode: 0,
  durationMs: 1800,
  sandbox: 'none',
} as const satisfies Item;
const notice = { ...at, id: 'n', type: 'notice', level: 'warning', text: 'Cut short.' } as const;

const about = { sessionId: 's1', turnId: 't', openedAt: at.startedAt };

let unmount: () => void = () => undefined;
const show = (more: Partial<SessionState>, actions = server()) => {
  const mounted = mount(<Conversation state={session(more)} actions={actions} />);
  unmount = mounted.unmount;
  const render = (next: Partial<SessionState>) =>
    mounted.render(<Conversation state={session(next)} actions={actions} />);
  return { render, actions };
};
const rows = () => [...document.querySelectorAll('[data-item]')].map((row) => row.textContent);
afterEach(() => {
  unmount();
  vi.unstubAllGlobals();
});

test('a log named Conversation, with a word when it is empty', () => {
  show({});
  expect(query('[role="log"][aria-label="Conversation"]')?.textContent).toContain('What are we working on?');
});

test('a user message is its text as written, who, when and how far it got', () => {
  const message = {
    ...at,
    id: 'u',
    type: 'userMessage',
    author: 'Mei',
    inputId: 'i',
    mode: 'steer',
  } as const;
  show({ items: [{ ...message, attachments: [], text: '<b>\n  $x$' }] });
  expect(rows()[0]).toMatch(/^<b>\n {2}\$x\$Mei.+seen$/);
});

test('a command opens to where it ran and what it printed', async () => {
  show({ items: [command, { ...command, id: 'd', status: 'failed', exitCode: 2 }] });
  expect(rows()).toEqual(['succeededRanmake1.8 s', 'failedRanmakeexit 2 · 1.8 s']);
  await click(document.querySelector('[aria-expanded="false"]') as HTMLElement);
  expect(rows()[0]).toContain('/srv/lab · Not confined');
  expect(rows()[0]).toContain('all good');
});

test('why an agent has failed is told in words for people', () => {
  const agent = { ...at, status: 'failed', type: 'subAgent', agentId: 'a', nickname: 'Ada' } as const;
  const message = 'TurnInterrupted: turn interrupted by a restart of the server';
  show({ items: [{ ...agent, id: 'f', prompt: 'dig', agentStatus: 'failed', message }] });
  expect(rows()[0]).toMatch(/Ada.*dig.*A restart of the server cut it off\.$/);
  expect(rows()[0]).not.toContain('TurnInterrupted');
});

test('a command hides nothing in its row, nor where it is whole', async () => {
  show({ items: [{ ...command, command: `ls \u202e# ${'x'.repeat(80)}` }] });
  const signs = () => document.querySelectorAll('[data-shows="U+202E"]').length;
  expect(signs()).toBe(1);
  await click(document.querySelector('[aria-expanded="false"]') as HTMLElement);
  expect(signs()).toBe(2);
});

test('what held a command in is said, and where the others are confined, that one ran outside', async () => {
  const decision: Decision = { outcome: 'answered', choice: 'rule', rule: ['make'], by: 'Ada' };
  show({
    confined: true,
    items: [
      { ...command, id: '1', sandbox: 'workspace-write' },
      { ...command, id: '2', decision },
      { ...command, id: '3', status: 'declined', output: '', exitCode: undefined, durationMs: undefined },
      {
        ...{ ...command, id: '4', status: 'interrupted', exitCode: undefined, durationMs: undefined },
        // it was stopped while it still asked
        decision: { outcome: 'withdrawn', by: null },
      },
    ],
  });
  expect(rows()).toEqual([
    'succeededRanmake1.8 s',
    'succeededRanmake1.8 s · outside the sandbox · allowed for good by Ada: make',
    'declinedDid not runmakedeclined',
    'interruptedDid not runmakeinterrupted',
  ]);
  for (const row of document.querySelectorAll<HTMLElement>('[aria-expanded="false"]')) await click(row);
  expect(rows()[0]).toContain('/srv/lab · confined: workspace-write');
  expect(rows()[1]).toContain('/srv/lab · Outside the sandbox');
});

test('a command that nobody was asked about says what let it run, and what it could do beyond its sandbox', async () => {
  const held = { ...command, sandbox: 'workspace-write' } as const;
  const grants = { network: true as const, write: ['/srv/lab/out', '/data'], read: ['/keys'] };
  show({
    confined: true,
    items: [
      { ...command, id: '1', allowance: { how: 'rule' } },
      { ...command, id: '2', allowance: { how: 'session', by: 'Ada' } },
      { ...command, id: '3', allowance: { how: 'turn', by: null } },
      { ...held, id: '4', grants: { network: true } },
      { ...held, id: '5', grants, allowance: { how: 'session', by: null } },
    ],
    cwd: '/srv/lab',
  });
  const row = (words: string) => `succeededRanmake1.8 s · ${words}`;
  expect(rows()).toEqual([
    row('outside the sandbox · allowed by a rule'),
    row('outside the sandbox · allowed for this session by Ada'),
    row('outside the sandbox · allowed for this turn'),
    row('with network'),
    row('with network, write /srv/lab/out and 2 more · allowed for this session'),
  ]);
  for (const one of document.querySelectorAll<HTMLElement>('[aria-expanded="false"]')) await click(one);
  expect(rows()[1]?.match(/allowed for this session by Ada/g)).toHaveLength(2);
  expect(rows()[4]).toContain('It could also use the network, write /srv/lab/out, write /data, read /keys');
});

test('a command that somebody ended says who', () => {
  const ended = { ...command, status: 'interrupted', exitCode: null, durationMs: 1800 } as const;
  show({
    items: [
      { ...ended, id: '1', endedBy: 'Ada' },
      { ...ended, id: '2', endedBy: null },
      { ...ended, id: '3' },
    ],
  });
  expect(rows().map((row) => row?.replace('interruptedRanmake', ''))).toEqual([
    'ended by Ada · 1.8 s',
    'ended · 1.8 s',
    'interrupted · 1.8 s',
  ]);
});

test('a patch that nobody was asked about says who had allowed its files', () => {
  const changes = [{ path: '/x/b.txt', kind: 'update', diff: '@@ -1 +1 @@\n-old\n+new' } as const];
  const patch = { ...at, id: 'f', type: 'fileChange', changes } as const;
  show({ items: [{ ...patch, allowance: { how: 'session', by: 'Ada' } }] });
  expect(rows()[0]).toContain('allowed for this session by Ada');
});

test('what waits for a person does not look as if it worked', () => {
  const running = { ...command, status: 'inProgress', durationMs: undefined } as const;
  const call = { ...at, type: 'toolCall', status: 'inProgress', name: 'search', arguments: '{}' } as const;
  const asked = { ...call, id: 'q', name: 'request_user_input' };
  const asks = ['c', 't'].map((itemId) => ({ ...about, id: itemId, itemId, kind: 'approval' }) as const);
  show({ items: [running, { ...call, id: 't' }, asked], asks });
  expect(rows()).toEqual([
    'waits for youWants to runmake',
    'waits for youWants to callsearch',
    'waits for youAsks',
  ]);
});

test('what was left out of an output is fetched on demand', async () => {
  const long = { ...command, output: `${'a'.repeat(OUTPUT_HEAD)}end`, outputBytes: 100_000, truncated: true };
  const { actions } = show({ items: [long] });
  actions.output.mockResolvedValue('the whole of it');
  await click(document.querySelector('[aria-expanded="false"]') as HTMLElement);
  expect(rows()[0]).toContain('65.7 KiB left out');
  await click(button('Show all'));
  expect(actions.output).toHaveBeenCalledWith('c');
  expect(rows()[0]).toContain('the whole of it');
});

test('a patch shows its rows, and why it was not applied', () => {
  const changes = [{ path: 'b.txt', kind: 'update', diff: '@@ -1 +1 @@\n-old\n+new' } as const];
  show({
    items: [{ ...at, id: 'f', type: 'fileChange', status: 'failed', changes, error: 'b.txt: not found' }],
  });
  expect(rows()[0]).toContain('Not applied: b.txt: not found');
  expect(rows()[0]).toContain('1 line added');
  expect([...document.querySelectorAll('tr')].map((row) => row.textContent)).toEqual(['1−old', '1+new']);
});

test('who decided is said once, of commands, patches and calls alike', () => {
  const by = (choice: 'once' | 'decline') => ({
    decision: { outcome: 'answered', choice, by: 'Mei' } as const,
  });
  const patch = { ...at, type: 'fileChange' as const, changes: [] };
  const call = { ...at, type: 'toolCall', name: 'search', arguments: '{}' } as const;
  const declined = {
    ...command,
    status: 'declined',
    output: '',
    exitCode: undefined,
    durationMs: undefined,
  } as const;
  show({
    items: [
      { ...declined, id: '1', ...by('decline') },
      { ...declined, id: '2' },
      { ...patch, id: '3', ...by('once') },
      { ...patch, id: '4', status: 'declined', ...by('decline') },
      { ...call, id: '5', ...by('once') },
    ],
  });
  expect(rows()).toEqual([
    'declinedDid not runmakedeclined by Mei',
    'declinedDid not runmakedeclined',
    'allowed by Mei',
    'Not applied: declined by Mei',
    'succeededCalledsearchallowed by Mei',
  ]);
});

test('a decline is shown with its reason, an answer with who gave it', () => {
  const decision = { outcome: 'answered', choice: 'decline', reason: 'not on Friday', by: 'Mei' } as const;
  const declined = {
    ...command,
    status: 'declined',
    output: '',
    exitCode: undefined,
    durationMs: undefined,
  } as const;
  const asked = JSON.stringify({ questions: [{ id: 'q', header: 'Name', question: 'Which?' }] });
  const question = { ...at, type: 'toolCall', name: 'request_user_input', arguments: asked } as const;
  show({
    items: [
      { ...declined, id: '1', decision },
      { ...declined, id: '2', decision: { ...decision, by: null } },
      { ...question, id: '3', decision: { outcome: 'answered', by: 'Mei' } },
    ],
  });
  const [first, second, third] = rows();
  expect(first).toBe('declinedDid not runmakedeclined by Mei: “not on Friday”');
  expect(second).toBe('declinedDid not runmakedeclined: “not on Friday”');
  expect(third).toContain('answered by Mei');
});

test('what a rule or the policy refused is no decline of a person, and says why', async () => {
  const declined = { ...command, status: 'declined', exitCode: undefined, durationMs: undefined } as const;
  show({ items: [{ ...declined, output: 'A rule of the people here forbids this command.' }] });
  expect(rows()).toEqual(['not allowedDid not runmakenot allowed']);
  await click(document.querySelector('[aria-expanded="false"]') as HTMLElement);
  expect(rows()[0]).toContain('A rule of the people here forbids this command.');
});

test('a huge diff is closed, and opens by parts', async () => {
  const diff = Array.from({ length: 10_000 }, (_, line) => `+${line}`).join('\n');
  show({ items: [{ ...at, id: 'f', type: 'fileChange', changes: [{ path: 'x', kind: 'add', diff }] }] });
  expect(document.querySelectorAll('tr')).toHaveLength(0);
  await click(document.querySelector('[aria-expanded="false"]') as HTMLElement);
  expect(document.querySelectorAll('tr')).toHaveLength(400);
  await click(button('Show 1,000 more lines'));
  expect(document.querySelectorAll('tr')).toHaveLength(1400);
});

test('an item of a type from the future is shown with all that came', async () => {
  show({ items: [{ ...at, id: 'x', type: 'hologram', depth: 3 } as unknown as Item] });
  expect(rows()[0]).toContain('hologram');
  await click(document.querySelector('[aria-expanded="false"]') as HTMLElement);
  expect(rows()[0]).toContain('"depth": 3');
});

test('an item that is not what its type promises harms no other', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  show({ items: [{ ...at, id: 'p', type: 'plan', note: 'no steps' } as unknown as Item, command] });
  errors.mockRestore();
  expect(rows()).toEqual(['succeededplan', 'succeededRanmake1.8 s']);
  await click(document.querySelector('[aria-expanded="false"]') as HTMLElement);
  expect(rows()[0]).toContain('"note": "no steps"');
});

test('an interrupted turn offers to go on while it can', async () => {
  const items = [{ ...notice, code: 'turn.interrupted' }] satisfies Item[];
  const { actions, render } = show({ items, canContinue: true });
  await click(button('Continue'));
  expect(actions.resume).toHaveBeenCalledTimes(1);
  render({ items, canContinue: false });
  expect(() => button('Continue')).toThrow();
  render({ items: [{ ...notice, code: 'session.paused' }], status: 'paused' });
  expect(button('Resume')).toBeTruthy();
});

test('an unknown command can be sent as text, once', async () => {
  const items = [{ ...notice, code: 'command.unknown', details: { text: '/foo bar' } }] satisfies Item[];
  const { actions } = show({ items });
  await click(button('Send as text'));
  expect(actions.send.mock.calls.map(([{ text, literal }]) => [text, literal])).toEqual([['/foo bar', true]]);
  expect(button('Sent as text').disabled).toBe(true);
});

test('earlier items are fetched when the reader comes near, and again only when asked after a failure', async () => {
  const near = vi.fn();
  const Observer = vi.fn(function (this: object, told: (entries: object[]) => void) {
    near.mockImplementation(() => told([{ isIntersecting: true }]));
    Object.assign(this, { observe: vi.fn(), disconnect: vi.fn() });
  });
  vi.stubGlobal('IntersectionObserver', Observer);
  const plain = (id: string) => ({ ...notice, id, code: 'x', text: id }) satisfies Item;
  const { actions } = show({ items: [plain('c'), plain('d')], older: 'c' });
  actions.page.mockRejectedValueOnce(new Error('away'));
  await act(async () => near());
  expect(query('[role="alert"]')?.textContent).toBe('Could not load what came earlier: away');
  actions.page.mockResolvedValue({ items: [plain('a'), plain('b')], older: null, newer: 'b' });
  await click(button('Try again'));
  expect(actions.page.mock.calls).toEqual([[{ before: 'c' }], [{ before: 'c' }]]);
  expect(query('[role="alert"]')).toBeNull();
  expect(() => button('Try again')).toThrow();
});

test('a change of one item leaves the others as they were', () => {
  const other = { ...command, id: 'other' };
  const { render } = show({ items: [other, command] });
  const before = [...document.querySelectorAll('[data-item]')];
  render({ items: [other, { ...command, status: 'failed', exitCode: 1 }] });
  expect([...document.querySelectorAll('[data-item]')]).toEqual(before);
  expect(rows()[1]).toContain('exit 1');
});
