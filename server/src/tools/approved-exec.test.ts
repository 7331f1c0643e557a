import type { Approval } from '@tscodex/shared/asks';
import { expect, test } from 'vitest';
import type { Policy } from '../approvals/decide.ts';
import { permission } from './approved-exec.ts';
import type { ApprovalDecision, ToolContext } from './tool.ts';

const judgement = { rule: null, knownSafe: false, risk: null, proposal: null, direct: null };
const action = { what: 'command', command: 'ls', cwd: '/w', grants: {}, judgement } as const;
const approval: Approval = { what: 'command', command: 'ls', cwd: '/w' };

/** What was asked and saved, in order, and the outcome. */
async function story(policy: Partial<Policy>, answer: ApprovalDecision) {
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
    begin: async () => void steps.push('begun'),
  } as unknown as ToolContext;
  return { steps, outcome: await permission(action, approval, context) };
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
  const { steps } = await story({ granted: () => true }, { allowed: false });
  expect(steps).toEqual(['begun']);
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
