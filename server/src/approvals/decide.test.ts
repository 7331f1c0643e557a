import { expect, test } from 'vitest';
import { type Action, decide, grantKeys, type Policy } from './decide.ts';

const command: Action = { what: 'command', command: 'npm test', cwd: '/w' };
const patch: Action = { what: 'patch', paths: ['/w/a.txt', '/w/b.txt'] };

const policy = (over: Partial<Policy>): Policy => ({
  approval: 'on-request',
  sandbox: 'workspace-write',
  confined: false,
  granted: () => false,
  ...over,
});

const outcome = (action: Action, over: Partial<Policy>) => decide(action, policy(over)).outcome;

test('unconfined, every command and patch asks', () => {
  for (const approval of ['on-request', 'untrusted'] as const)
    for (const sandbox of ['read-only', 'workspace-write', 'danger-full-access'] as const)
      for (const action of [command, patch]) expect(outcome(action, { approval, sandbox })).toBe('ask');
});

test('only "never" together with "danger-full-access" runs without asking', () => {
  for (const action of [command, patch])
    expect(outcome(action, { approval: 'never', sandbox: 'danger-full-access' })).toBe('allow');
});

test('"never" without full access is refused, naming both settings', () => {
  for (const action of [command, patch]) {
    const decision = decide(action, policy({ approval: 'never', sandbox: 'read-only', granted: () => true }));
    expect(decision).toMatchObject({
      outcome: 'forbid',
      reason: expect.stringMatching(/approval_policy = "never", sandbox_mode = "read-only"/),
    });
  }
});

test('a confined command runs, unless every command is to be asked', () => {
  expect(outcome(command, { confined: true })).toBe('allow');
  expect(outcome(command, { confined: true, approval: 'never' })).toBe('allow');
  expect(outcome(command, { confined: true, approval: 'untrusted' })).toBe('ask');
});

test('confinement of commands does not cover patches', () => {
  expect(outcome(patch, { confined: true })).toBe('ask');
  expect(outcome(patch, { confined: true, approval: 'never' })).toBe('forbid');
});

test('a grant covers the identical command in the same directory', () => {
  const granted = new Set(grantKeys(command));
  const over = { granted: (key: string) => granted.has(key) };
  expect(outcome(command, over)).toBe('allow');
  expect(outcome({ ...command, cwd: '/w/sub' }, over)).toBe('ask');
  expect(outcome({ ...command, command: 'npm test ' }, over)).toBe('ask');
});

test('a granted command may not be typed into, and typing is granted once at a time', () => {
  const started: Action = { what: 'command', command: 'bash', cwd: '/w' };
  const covers = (granted: Action, action: Action) =>
    outcome(action, { granted: (key) => grantKeys(granted).includes(key) }) === 'allow';
  const yes = { ...started, typed: 'y\n' };
  expect(covers(started, yes)).toBe(false);
  expect(grantKeys(yes)).toEqual([]);
  expect(covers(yes, yes)).toBe(false);
  expect(covers(yes, started)).toBe(false);
});

test('a granted patch covers each of its files, and no other', () => {
  const granted = new Set(grantKeys(patch));
  const over = { granted: (key: string) => granted.has(key) };
  expect(outcome({ what: 'patch', paths: ['/w/b.txt'] }, over)).toBe('allow');
  expect(outcome({ what: 'patch', paths: ['/w/b.txt', '/w/c.txt'] }, over)).toBe('ask');
  expect(outcome({ what: 'patch', paths: [] }, { granted: () => true })).toBe('ask');
});
