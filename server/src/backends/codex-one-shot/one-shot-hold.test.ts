import type { Permissions } from '@tscodex/shared/permissions';
import { expect, test } from 'vitest';
import { oneShotHold } from './one-shot-hold.ts';

const BYPASS = 'dangerously-bypass-approvals-and-sandbox';
const session = (
  sandbox: Permissions['sandbox'],
  approval: Permissions['approval'],
  network = false,
): Permissions => ({ sandbox, approval, network });
const words = (...asked: Parameters<typeof oneShotHold>) => {
  const { approval, reviewer, sandbox } = oneShotHold(...asked);
  return `${sandbox} ${approval} ${reviewer}`;
};

test('never: what the sandbox of its session lets it, and nothing beyond', () => {
  const never = (permissions: Permissions) => words('never', permissions);
  expect(never(session('read-only', 'on-request'))).toBe('read-only never user');
  expect(never(session('workspace-write', 'on-request'))).toBe('workspace-write never user');
  expect(never(session('danger-full-access', 'never'))).toBe('workspace-write never user');
  // people are asked about all there: what Codex does not trust is asked, and so declined
  expect(never(session('workspace-write', 'untrusted'))).toBe('workspace-write untrusted user');
  expect(never(session('danger-full-access', 'on-request'))).toBe('workspace-write untrusted user');
});

test('approve-for-me: a reviewer stands in for people, where people would be asked', () => {
  const reviewed = (permissions: Permissions) => words('approve-for-me', permissions);
  expect(reviewed(session('workspace-write', 'on-request'))).toBe('workspace-write on-request auto_review');
  expect(reviewed(session('read-only', 'untrusted'))).toBe('read-only untrusted auto_review');
  expect(reviewed(session('workspace-write', 'never'))).toBe('workspace-write never auto_review');
  expect(reviewed(session('danger-full-access', 'on-request'))).toBe('workspace-write untrusted auto_review');
});

test('full access is only for a session that has it without being asked', () => {
  expect(words(BYPASS, session('danger-full-access', 'never'))).toBe('danger-full-access never user');
  for (const less of [session('danger-full-access', 'on-request'), session('workspace-write', 'never')])
    expect(() => oneShotHold(BYPASS, less)).toThrow(
      expect.objectContaining({ code: 'agent.codex-permissions' }),
    );
});

test('the network is as in its session', () => {
  expect(oneShotHold('never', session('workspace-write', 'never', true)).network).toBe(true);
  expect(oneShotHold('never', session('workspace-write', 'never', false)).network).toBe(false);
});
