import type { Permissions } from '@tscodex/shared/permissions';
import { expect, test } from 'vitest';
import { permissionsText } from './permissions-text.ts';

const problem = { kind: 'bwrap-missing', detail: 'no bwrap' } as const;

/** By the words of its row: `SANDBOX APPROVAL [bare]`. */
function textOf(words: string, over: Partial<Permissions> = {}): string {
  const [sandbox, approval, machine] = words.split(' ');
  return permissionsText({
    permissions: { sandbox, approval, network: false, ...over } as Permissions,
    problem: machine === 'bare' ? problem : null,
    writableRoots: ['/work', '/tmp'],
    cwd: '/work',
  });
}

/** Words that one of the texts alone has. */
const SIGNS = {
  'read-only': 'sandbox_mode = "read-only"',
  'workspace-write': 'sandbox_mode = "workspace-write"',
  'full access': 'sandbox_mode = "danger-full-access"',
  'not confined': 'Nothing on this machine confines your commands',
  refused: 'nothing on this machine confines them',
  'on-request': 'approval_policy = "on-request"`). A person',
  untrusted: 'approval_policy = "untrusted"',
  never: 'approval_policy = "never"',
  asking: '"with_additional_permissions"',
  rules: '`prefix_rule`',
};

test.each([
  ['read-only on-request', ['read-only', 'on-request', 'asking', 'rules']],
  ['read-only untrusted', ['read-only', 'untrusted', 'asking', 'rules']],
  ['read-only never', ['read-only', 'never']],
  ['workspace-write on-request', ['workspace-write', 'on-request', 'asking', 'rules']],
  ['workspace-write untrusted', ['workspace-write', 'untrusted', 'asking', 'rules']],
  ['workspace-write never', ['workspace-write', 'never']],
  ['danger-full-access on-request', ['full access', 'rules']],
  ['danger-full-access untrusted', ['full access', 'rules']],
  ['danger-full-access never', ['full access', 'never']],
  ['read-only untrusted bare', ['not confined', 'rules']],
  ['workspace-write on-request bare', ['not confined', 'rules']],
  ['workspace-write never bare', ['refused', 'never']],
  ['danger-full-access on-request bare', ['full access', 'rules']],
  ['danger-full-access never bare', ['full access', 'never']],
])('%s', (words, expected) => {
  const text = textOf(words);
  const found = Object.entries(SIGNS).filter(([, sign]) => text.includes(sign));
  expect(found.map(([name]) => name)).toEqual(expected);
  expect(text).not.toMatch(/[{}]|^\s|\s$|\n{3}/);
});

test('the model reads where it may write, in the words of the disk', () => {
  const text = permissionsText({
    permissions: { sandbox: 'workspace-write', approval: 'never', network: false },
    problem: null,
    writableRoots: ['/a $& b', '/tmp'],
    cwd: '/a $& b',
  });
  expect(text).toContain('\n- `/a $& b`\n- `/tmp`\n');
  expect(textOf('read-only never')).toContain('in the working directory `/work` neither');
});

test('the network is on where it may be', () => {
  expect(textOf('workspace-write never')).toContain('The network is off');
  expect(textOf('workspace-write never', { network: true })).toContain('The network is on');
  expect(textOf('read-only never', { network: true })).toContain('The network is off');
});

test('where nobody is asked the model is told not to ask', () => {
  for (const words of ['read-only never', 'danger-full-access never', 'workspace-write never bare'])
    expect(textOf(words)).toMatch(/[Dd]o not send `sandbox_permissions`/);
});
