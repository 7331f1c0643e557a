import { expect, test } from 'vitest';
import { turnParams } from './thread-params.ts';
import { turnOverrides } from './turn-overrides.ts';

const NOW = {
  ...{ model: 'm', effort: null, cwd: '/work', approvalPolicy: 'on-request' },
  ...{ sandboxMode: 'read-only', networkAccess: false },
};
const PLACES = { writableRoots: ['/srv'], slashTmp: false, tmpdir: true };

function change(policy: object, cwd?: string) {
  const threadId = '01a22a60-37cf-72f1-a7b5-c3a7b41f5a99';
  const sandboxPolicy = { type: 'workspaceWrite', networkAccess: false, ...policy };
  return turnOverrides(turnParams.parse({ threadId, input: [], cwd, sandboxPolicy }), NOW, PLACES);
}

test.for([
  { writableRoots: ['/srv'] },
  { writableRoots: ['/work', '/srv/'] },
  { writableRoots: ['/srv'], excludeSlashTmp: true, excludeTmpdirEnvVar: false },
])('the places that a thread has may be said: %o', (policy) => {
  expect(change(policy)).toEqual({ sandbox: 'workspace-write' });
});

test('the directory is the one that the turn sets', () => {
  expect(change({ writableRoots: ['/other', '/srv'] }, '/other')).toEqual({
    ...{ cwd: '/other', sandbox: 'workspace-write' },
  });
  expect(() => change({ writableRoots: ['/work', '/srv'] }, '/other')).toThrow('/work is not one');
});

test.for([
  [{ writableRoots: ['/srv', '/opt'] }, 'writableRoots: /opt is not one of this thread'],
  [{ writableRoots: [] }, 'writableRoots: /srv is one of this thread'],
  [{}, 'writableRoots: /srv is one of this thread'],
  [{ writableRoots: ['/srv'], excludeTmpdirEnvVar: true }, 'excludeTmpdirEnvVar: it is false in this thread'],
  [{ writableRoots: ['/srv'], excludeSlashTmp: false }, 'excludeSlashTmp: it is true in this thread'],
] as const)('others are refused, fewer as well as more: %o', ([policy, words]) => {
  expect(() => change(policy)).toThrow(words);
});
