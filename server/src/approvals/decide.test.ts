import type { Grants } from '@tscodex/shared/permissions';
import { expect, test } from 'vitest';
import { type Action, decide, type Policy } from './decide.ts';
import type { Judgement } from './judgement.ts';

type Command = Extract<Action, { what: 'command' }>;

const unknown: Judgement = { rule: null, knownSafe: false, risk: null, proposal: null, direct: null };
const command = (judgement: Partial<Judgement> = {}, grants: Grants = {}): Command => ({
  ...{ command: 'npm test', cwd: '/w', grants },
  what: 'command',
  judgement: { ...unknown, ...judgement },
});
const safe = command({ knownSafe: true });
const patch = (...outside: string[]): Action => ({ what: 'patch', paths: ['/w/a', ...outside], outside });
const wants = (grants: Grants) => command({}, grants);
const request = (grants: Grants): Action => ({ what: 'permissions', grants });

/** A policy by the words of its row. */
function policy(words: string, granted: readonly string[] = []): Policy {
  const [approval, sandbox, machine] = words.split(' ');
  return {
    approval: approval as Policy['approval'],
    sandbox: sandbox === 'full' ? 'danger-full-access' : sandbox === 'read' ? 'read-only' : 'workspace-write',
    confined: machine !== 'bare',
    unattended: machine === 'unattended',
    granted: (key) => granted.includes(key),
  };
}

/** `allow`: confined. `free`: allowed and unconfined; likewise `ask free`. */
function outcome(action: Action, words: string, granted?: readonly string[]): string {
  const decision = decide(action, policy(words, granted));
  if (decision.outcome === 'forbid') return 'forbid';
  const free = decision.confined ? '' : 'free';
  return decision.outcome === 'allow' ? free || 'allow' : `ask ${free}`.trim();
}

const POLICIES = [
  'on-request write',
  'untrusted write',
  'never write',
  'on-request write bare',
  'never write bare',
  'on-request full',
  'never full',
  'never full unattended',
];

test.each<[string, Action, string[]]>([
  ['a rule forbids', command({ rule: 'forbidden' }), Array(8).fill('forbid')],
  ['rules allow', command({ rule: 'allow', risk: 'delete' }), Array(8).fill('free')],
  [
    'a rule asks',
    command({ rule: 'prompt', knownSafe: true }),
    ['ask', 'ask', 'forbid', 'ask free', 'forbid', 'ask free', 'forbid', 'forbid'],
  ],
  [
    'a risk',
    command({ risk: 'delete' }),
    ['ask', 'ask', 'forbid', 'ask free', 'forbid', 'ask free', 'forbid', 'forbid'],
  ],
  ['a command', command(), ['allow', 'ask', 'allow', 'ask free', 'forbid', 'ask free', 'forbid', 'free']],
  [
    'one that only reads',
    safe,
    ['allow', 'allow', 'allow', 'ask free', 'forbid', 'ask free', 'forbid', 'free'],
  ],
  [
    'one that wants out',
    wants({ unconfined: true }),
    ['ask free', 'ask free', 'forbid', 'ask free', 'forbid', 'ask free', 'forbid', 'free'],
  ],
  [
    'one that wants the network',
    command({ knownSafe: true }, { network: true }),
    ['ask', 'ask', 'forbid', 'ask free', 'forbid', 'ask free', 'forbid', 'free'],
  ],
  ['a patch', patch(), ['allow', 'ask', 'allow', 'ask free', 'forbid', 'ask free', 'forbid', 'free']],
  [
    'a patch outside',
    patch('/etc/x'),
    ['ask', 'ask', 'forbid', 'ask free', 'forbid', 'ask free', 'forbid', 'free'],
  ],
  [
    'typed into a confined one',
    { what: 'input', confined: true, looser: false },
    ['allow', 'ask', 'allow', 'allow', 'allow', 'allow', 'allow', 'allow'],
  ],
  [
    'typed into one that may do more than the session now',
    { what: 'input', confined: true, looser: true },
    ['ask', 'ask', 'forbid', 'ask', 'forbid', 'ask', 'forbid', 'allow'],
  ],
  [
    'typed into a free one',
    { what: 'input', confined: false, looser: false },
    ['ask free', 'ask free', 'forbid', 'ask free', 'forbid', 'ask free', 'forbid', 'free'],
  ],
  [
    'more is requested',
    request({ network: true }),
    ['ask', 'ask', 'forbid', 'ask free', 'forbid', 'ask free', 'forbid', 'free'],
  ],
])('%s', (_what, action, outcomes) => {
  expect(POLICIES.map((words) => [words, outcome(action, words)])).toEqual(
    POLICIES.map((words, i) => [words, outcomes[i]]),
  );
});

test('what the configuration leaves unattended a session still confines by its own mode', () => {
  expect(outcome(command(), 'never read unattended')).toBe('allow');
  expect(outcome(command(), 'on-request full unattended')).toBe('ask free');
});

test('a program that rules allow by itself is started without a shell', () => {
  expect(decide(command({ rule: 'allow', direct: ['npm', 'test'] }), policy('never write'))).toEqual({
    ...{ outcome: 'allow', confined: false, direct: ['npm', 'test'] },
  });
});

test('a rule is offered where it was proposed, and its own words come along', () => {
  expect(decide(command({ proposal: ['npm', 'test'] }), policy('untrusted write'))).toMatchObject({
    rule: ['npm', 'test'],
  });
  const asked = decide(command({ rule: 'prompt', justification: 'it deploys' }), policy('on-request write'));
  expect(asked).toMatchObject({ rule: null, justification: 'it deploys' });
});

test.each<[string, Action, string, string[]]>([
  ['a rule', command({ rule: 'forbidden', justification: 'use jj' }), 'never write', ['use jj.']],
  ['no sandbox', command(), 'never read bare', ['approval_policy = "never", sandbox_mode = "read-only"']],
  ['grants', wants({ network: true }), 'never write', ['"never"', 'Do not send sandbox_permissions']],
  ['a request', request({ network: true }), 'never write', ['Do not call request_permissions']],
  ['a patch', patch('/etc/x', '/etc/y'), 'never write', ['/etc/x, /etc/y']],
  ['a risk', command({ risk: 'disk' }), 'never write', ['destroy']],
  ['input', { what: 'input', confined: true, looser: true }, 'never write', ['Ctrl-C']],
  [
    'a rule that asks',
    command({ rule: 'prompt', justification: 'it deploys' }),
    'never write',
    ['it deploys.'],
  ],
])('the model reads why %s refuses', (_what, action, words, said) => {
  const decision = decide(action, policy(words));
  for (const part of said)
    expect(decision).toMatchObject({ outcome: 'forbid', reason: expect.stringContaining(part) });
});

/** What "for this session" of one ask covers of another. */
function covers(first: Action, second: Action, words = 'untrusted write'): boolean {
  const asked = decide(first, policy(words));
  if (asked.outcome !== 'ask') throw new Error('nobody was asked');
  return (
    outcome(second, words, asked.keys) !== outcome(second, words) &&
    !/ask/.test(outcome(second, words, asked.keys))
  );
}

test('a grant covers the identical command in the same directory, with no more than it had', () => {
  expect(covers(command(), command())).toBe(true);
  // what destroys is asked about every time
  expect(covers(command({ risk: 'delete' }), command({ risk: 'delete' }))).toBe(false);
  expect(covers(command(), { ...command(), cwd: '/w/sub' })).toBe(false);
  expect(covers(command(), { ...command(), command: 'npm test ' })).toBe(false);
  expect(covers(command(), wants({ network: true }))).toBe(false);
  expect(covers(wants({ unconfined: true }), wants({ unconfined: true }))).toBe(true);
  expect(covers(wants({ write: ['/a', '/b'] }), wants({ write: ['/b', '/a'] }))).toBe(true);
  expect(covers(wants({ write: ['/a'] }), wants({ write: ['/b'] }))).toBe(false);
});

test('what was granted confined is asked about again where nothing confines', () => {
  const asked = decide(command(), policy('untrusted write'));
  expect(asked.outcome === 'ask' && outcome(command(), 'untrusted write bare', asked.keys)).toBe('ask free');
});

test('a granted command may not be typed into', () => {
  const yes: Action = { what: 'input', confined: false, looser: false };
  expect(covers(wants({ unconfined: true }), yes)).toBe(false);
  expect(decide(yes, policy('on-request write'))).toMatchObject({ outcome: 'ask', keys: [] });
  expect(outcome(yes, 'on-request write', [''])).toBe('ask free');
});

test('a granted patch covers each of its files, and no other', () => {
  const both = patch('/x', '/y');
  expect(covers(both, patch('/y'))).toBe(true);
  expect(covers(both, patch('/y', '/z'))).toBe(false);
  expect(outcome({ what: 'patch', paths: [], outside: [] }, 'on-request write')).toBe('ask');
});

test('granted permissions cover commands that want no more, and what lies within', () => {
  const both = request({ network: true, write: ['/cache'] });
  const on = 'on-request write';
  expect(covers(both, wants({ network: true }), on)).toBe(true);
  expect(covers(both, wants({ write: ['/cache/npm', '/cache'] }), on)).toBe(true);
  expect(covers(both, wants({ write: ['/cachet'] }), on)).toBe(false);
  expect(covers(both, wants({ read: ['/cache'] }), on)).toBe(false);
  expect(covers(both, wants({ network: true, unconfined: true }), on)).toBe(false);
  expect(covers(both, request({ network: true }), on)).toBe(true);
  // it may do more, but the policy still trusts few commands
  expect(outcome(wants({ network: true }), 'untrusted write', ['permission:network'])).toBe('ask');
});
