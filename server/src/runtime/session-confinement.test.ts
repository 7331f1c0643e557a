import type { Permissions } from '@tscodex/shared/permissions';
import { expect, test } from 'vitest';
import { confinementOf, everWritable, type SessionPlace } from './session-confinement.ts';

const settings = {
  writableRoots: [],
  slashTmp: true,
  tmpdir: true,
  unixSockets: false,
  bwrap: '/usr/bin/bwrap',
};
const place = (over: Partial<SessionPlace> = {}): SessionPlace => ({
  cwd: '/srv/ws/one',
  workspaceDir: '/srv/ws/one',
  otherDirs: [],
  stateDir: '/home/u/.codex/tscodex',
  codexHome: '/home/u/.codex',
  codexReadable: ['/home/u/.codex/skills'],
  secrets: ['/home/u/.ssh'],
  kept: ['/srv/workspaces.json'],
  tmp: '/tmp',
  tmpdir: null,
  settings,
  ...over,
});
const permissions = (over: Partial<Permissions> = {}): Permissions => ({
  ...{ sandbox: 'workspace-write', approval: 'on-request', network: false },
  ...over,
});

test('workspace-write: the directory and /tmp, no network, the secrets hidden', () => {
  expect(confinementOf(permissions(), place(), {})).toEqual({
    mode: 'workspace-write',
    network: false,
    unixSockets: false,
    roots: ['/srv/ws/one', '/tmp'],
    write: [],
    hidden: ['/home/u/.codex/tscodex', '/home/u/.codex', '/home/u/.ssh'],
    readable: ['/home/u/.codex/skills'],
    kept: ['/srv/workspaces.json'],
  });
});

test('the settings of workspace-write', () => {
  const set = { ...settings, writableRoots: ['/data'], slashTmp: false, unixSockets: true };
  const held = confinementOf(permissions({ network: true }), place({ settings: set, tmpdir: '/var/t' }), {});
  expect(held).toMatchObject({ roots: ['/srv/ws/one', '/data', '/var/t'], network: true, unixSockets: true });
  const none = { ...set, tmpdir: false };
  expect(confinementOf(permissions(), place({ settings: none, tmpdir: '/var/t' }), {})?.roots).toEqual([
    '/srv/ws/one',
    '/data',
  ]);
});

test('what some mode writes is the same in every mode, other workspaces included', () => {
  const set = { ...settings, writableRoots: ['/data'] };
  const over = { cwd: '/srv/ws/one/sub', otherDirs: ['/srv/ws/two'], settings: set, tmpdir: '/var/t' };
  expect(everWritable(place(over)).sort()).toEqual([
    ...['/data', '/srv/ws/one', '/srv/ws/one/sub', '/srv/ws/two', '/tmp', '/var/t'],
  ]);
});

test('read-only writes nowhere and has no network, whatever the network setting', () => {
  expect(confinementOf(permissions({ sandbox: 'read-only', network: true }), place(), {})).toMatchObject({
    mode: 'read-only',
    network: false,
    roots: [],
    readable: ['/srv/ws/one', '/home/u/.codex/skills'],
  });
});

test('full access and leave to run unconfined: nothing holds', () => {
  expect(confinementOf(permissions({ sandbox: 'danger-full-access' }), place(), {})).toBeNull();
  expect(confinementOf(permissions(), place(), { unconfined: true })).toBeNull();
});

test('grants add to what there is, also in read-only', () => {
  const grants = { network: true as const, read: ['/home/u/.ssh'], write: ['/opt/out'] };
  expect(confinementOf(permissions({ sandbox: 'read-only' }), place(), grants)).toMatchObject({
    network: true,
    write: ['/opt/out'],
    readable: ['/srv/ws/one', '/home/u/.codex/skills', '/home/u/.ssh'],
  });
});

test('a session in a part of its workspace may write the whole: its board is there', () => {
  expect(confinementOf(permissions(), place({ cwd: '/srv/ws/one/part' }), {})?.roots).toEqual([
    '/srv/ws/one',
    '/srv/ws/one/part',
    '/tmp',
  ]);
  // the workspace has moved since
  expect(confinementOf(permissions(), place({ cwd: '/srv/ws/old' }), {})?.roots).toEqual([
    '/srv/ws/old',
    '/tmp',
  ]);
});

test('other workspaces are hidden, but for those within the own one and around it', () => {
  const otherDirs = ['/srv/ws/two', '/srv/ws', '/srv/ws/one/sub', '/srv/ws/one', '/srv/ws/one-more'];
  expect(confinementOf(permissions(), place({ otherDirs }), {})?.hidden.slice(3)).toEqual([
    '/srv/ws/two',
    '/srv/ws/one-more',
  ]);
});
