import type { Approval } from '@tscodex/shared/asks';
import { expect, test } from 'vitest';
import type { Action, Policy } from '../approvals/decide.ts';
import { permission } from './approved-exec.ts';
import type { ApprovalDecision, ToolContext } from './tool.ts';

const judgement = { rule: null, knownSafe: false, risk: null, proposal: null, direct: null };
const action = { what: 'command', command: 'ls', cwd: '/w', grants: {}, judgement } as const;
const approval: Approval = { what: 'command', command: 'ls', cwd: '/w' };

/** What was asked and saved, in order, and the outcome. */
async function story(policy: Partial<Policy>, answer: ApprovalDecision, wanted: Action = action) {
  const steps: unknown[] = [];
  const context = {
    policy: {
      approval: 'on-request',
      sandbox: 'workspace-write',
      confined: false,
      unattended: false,
      granted: () => false,
      ...policy,
    },
    ask: {
      approve: async (asked: Approval, grants: readonly string[]) => {
        steps.push({ asked, grants });
        return answer;
      },
    },
    allowedBy: (key: string) => (policy.granted?.(key) ? { how: 'session', by: 'Ada' } : null),
    begin: async () => void steps.push('begun'),
  } as unknown as ToolContext;
  return { steps, outcome: await permission(wanted, approval, context) };
}

const asked = { asked: { ...approval, sandbox: 'none' }, grants: ['command:["/w","ls",false,[]]'] };

test('a person allows it: asked, then begun', async () => {
  const { steps, outcome } = await story({}, { allowed: true, scope: 'once' });
  expect(steps).toEqual([asked, 'begun']);
  expect(outcome).toEqual({ granted: true, confined: false, byRule: false });
});

test('a person declines it: never begun, and the model reads their words', async () => {
  const { steps, outcome } = await story({}, { allowed: false, reason: 'use the Makefile' });
  expect(steps).toEqual([asked]);
  expect(outcome).toEqual({
    granted: false,
    by: 'person',
    message: 'This command was declined by the user. They say: use the Makefile',
  });
  expect((await story({}, { allowed: false })).outcome).toEqual({
    granted: false,
    by: 'person',
    message: 'This command was declined by the user, without a reason.',
  });
});

test('what was granted before is not asked again', async () => {
  const { steps, outcome } = await story({ granted: () => true }, { allowed: false });
  expect(steps).toEqual(['begun']);
  expect(outcome).toMatchObject({ granted: true, allowance: { how: 'session', by: 'Ada' } });
});

test('what let it run unasked is told only where it would have asked', async () => {
  const no = { allowed: false } as const;
  const confined = { confined: true, granted: () => true };
  // it runs in its sandbox in any case
  expect((await story(confined, no)).outcome).toEqual({ granted: true, confined: true, byRule: false });
  const careful = { ...confined, approval: 'untrusted' } as const;
  expect((await story(careful, no)).outcome).toMatchObject({ allowance: { how: 'session', by: 'Ada' } });

  const outside: Action = { ...action, grants: { unconfined: true } };
  const all = { confined: true, granted: (key: string) => key === 'permission:unconfined' };
  expect((await story(all, no, outside)).outcome).toMatchObject({
    ...{ confined: false, allowance: { how: 'session', by: 'Ada' } },
  });
  const never = { ...all, approval: 'never' } as const;
  expect((await story(never, no, outside)).outcome).toMatchObject({ allowance: { by: 'Ada' } });

  const ruled: Action = { ...action, judgement: { ...judgement, rule: 'allow' } };
  expect((await story({ confined: true }, no, ruled)).outcome).toMatchObject({ allowance: { how: 'rule' } });
});

test('of a patch, whoever allowed its files', async () => {
  const patch: Action = { what: 'patch', paths: ['/x/a'], outside: ['/x/a'] };
  const granted = (key: string) => key === 'file:/x/a';
  const { steps, outcome } = await story({ confined: true, granted }, { allowed: false }, patch);
  expect(steps).toEqual(['begun']);
  expect(outcome).toMatchObject({ confined: true, allowance: { how: 'session', by: 'Ada' } });
});

test('what the policy forbids is neither asked nor begun', async () => {
  const { steps, outcome } = await story({ approval: 'never' }, { allowed: true, scope: 'once' });
  expect(steps).toEqual([]);
  expect(outcome).toEqual({
    granted: false,
    by: 'policy',
    message: expect.stringContaining('approval_policy'),
  });
});
