import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Permissions } from '@tscodex/shared/permissions';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Config } from '../base/config/config.ts';
import { SessionPermissions, type WorkspaceRules } from './session-permissions.ts';

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'session-permissions-')));
  for (const name of ['w', 'codex/state/demo', 'code', 'data'])
    await mkdir(join(dir, name), { recursive: true });
});
afterEach(() => rm(dir, { recursive: true }));

const configured: Permissions = { sandbox: 'workspace-write', approval: 'on-request', network: false };
const NONE = { sandbox: null, approval: null, network: null };
const problem = { kind: 'bwrap-missing', detail: 'ENOENT' } as const;

type Over = {
  config?: object;
  workspace?: Partial<WorkspaceRules>;
  own?: object;
  cwd?: string;
  broken?: boolean;
};

function permissions(
  { config = {}, workspace = {}, own = {}, cwd = join(dir, 'w'), broken }: Over = {},
  workspaceDir = () => cwd,
) {
  const rules = () => ({ dir: workspaceDir(), permissions: {}, otherDirs: [], ...workspace });
  return new SessionPermissions({ ...NONE, ...own, cwd }, rules, {
    config: {
      codexHome: join(dir, 'codex'),
      permissions: configured,
      unattended: false,
      sandbox: { writableRoots: [], slashTmp: false, tmpdir: true, unixSockets: false, bwrap: '' },
      ...config,
    } as unknown as Config,
    sandbox: { problem: broken ? problem : null },
    ...{ stateDir: join(dir, 'codex/state'), codeDir: join(dir, 'code'), homes: () => [dir], env: {} },
    files: { secret: [join(dir, 'password')], kept: [join(dir, 'w/workspaces.json')] },
  });
}

test('each setting: the session, else the workspace, else the configuration', () => {
  const workspace = { permissions: { sandbox: 'read-only', network: true } as const };
  expect(permissions({ workspace }).current).toEqual({
    ...{ sandbox: 'read-only', approval: 'on-request', network: true },
  });
  expect(permissions({ workspace, own: { sandbox: 'workspace-write', network: false } }).current).toEqual({
    ...{ sandbox: 'workspace-write', approval: 'on-request', network: false },
  });
});

test('a change holds at once', () => {
  const session = permissions();
  session.change({ sandbox: 'read-only' });
  expect(session.shown).toMatchObject({ sandboxMode: 'read-only', confined: true, sandboxProblem: null });
  expect(session.confinement({})?.mode).toBe('read-only');
});

test('what was set for the session alone can be taken back to what its workspace says', () => {
  const workspace = { permissions: { sandbox: 'read-only', approval: 'untrusted' } as const };
  const session = permissions({ workspace, own: { sandbox: 'workspace-write' } });
  session.change({ network: true });
  expect(session.shown).toMatchObject({
    ownPermissions: { sandbox: 'workspace-write', network: true },
    givenPermissions: { sandbox: 'read-only', approval: 'untrusted', network: false },
  });
  session.change({ sandbox: null, network: null });
  expect(session.shown).toMatchObject({ sandboxMode: 'read-only', networkAccess: false, ownPermissions: {} });
  expect(session.confinement({})?.mode).toBe('read-only');
});

test('taking a setting back is refused where full access without asking would come of it', () => {
  const workspace = { permissions: { sandbox: 'danger-full-access' } as const };
  const session = permissions({ workspace, own: { sandbox: 'read-only', approval: 'never' } });
  expect(() => session.check({ sandbox: null })).toThrow(/config\.toml/);
  session.check({ sandbox: null, approval: null });
});

test('full access without asking is for whoever starts the server to say', () => {
  const both = { sandbox: 'danger-full-access', approval: 'never' } as const;
  expect(() => permissions().check(both)).toThrow(/config\.toml/);
  // one after the other is the same
  const session = permissions();
  session.change({ approval: 'never' });
  expect(() => session.check({ sandbox: 'danger-full-access' })).toThrow(/config\.toml/);
  expect(session.current.sandbox).toBe('workspace-write');
  const allowed = permissions({ config: { unattended: true, permissions: { ...configured, ...both } } });
  allowed.check(both);
  allowed.change(both);
  expect(allowed.policy).toMatchObject({ ...both, unattended: true });
});

test('a machine that cannot confine holds nothing and says why', () => {
  const session = permissions({ broken: true });
  expect(session.confinement({})).toBeNull();
  expect(session.shown).toMatchObject({ confined: false, sandboxProblem: problem });
  expect(session.policy.confined).toBe(false);
});

test('paths are where they lead: links are resolved', async () => {
  await symlink(join(dir, 'w'), join(dir, 'link'));
  await symlink(join(dir, 'data'), join(dir, 'data-link'));
  const sandbox = {
    writableRoots: [join(dir, 'data-link')],
    slashTmp: false,
    tmpdir: true,
    unixSockets: false,
  };
  const session = permissions({ config: { sandbox } });
  expect(session.writableRoots).toEqual([join(dir, 'w'), join(dir, 'data')]);
  // from then on nothing leads elsewhere
  await rm(join(dir, 'data-link'));
  await symlink('/etc', join(dir, 'data-link'));
  expect(session.writableRoots).toEqual([join(dir, 'w'), join(dir, 'data')]);
});

test('a place to write that has vanished stands in the way of every command, and is named', async () => {
  const gone = join(dir, 'gone');
  const config = { sandbox: { writableRoots: [gone], slashTmp: false, tmpdir: true } };
  const session = permissions({ config });
  expect(session.obstacle).toMatchObject({ code: 'sandbox.root', details: { path: gone } });
  expect(session.obstacle?.message).toContain('does not exist');
  // nothing is written there in this mode, and nothing holds commands in that one
  expect(permissions({ config, own: { sandbox: 'read-only' } }).obstacle).toBeNull();
  expect(permissions({ config, own: { sandbox: 'danger-full-access' } }).obstacle).toBeNull();
  await mkdir(gone);
  expect(session.obstacle).toBeNull();
  expect(permissions({ config: { sandbox: { writableRoots: ['/'], tmpdir: true } } }).obstacle).toMatchObject(
    {
      details: { path: '/' },
    },
  );
});

test('a directory of the session that has become a link is not followed', async () => {
  const session = permissions({ cwd: join(dir, 'w/sub'), workspace: { dir: join(dir, 'w') } });
  await symlink('../codex', join(dir, 'w/sub'));
  expect(session.writableRoots).toEqual([join(dir, 'w'), join(dir, 'w/sub')]);
  expect(() => session.outside([join(dir, 'codex/x')], {})).toThrow(
    expect.objectContaining({ code: 'session.cwd-changed' }),
  );
});

test('a workspace that is elsewhere later is no place to write', () => {
  let workspace = join(dir, 'w');
  const session = permissions({ cwd: join(dir, 'w/sub') }, () => workspace);
  expect(session.writableRoots).toEqual([join(dir, 'w'), join(dir, 'w/sub')]);
  workspace = dir;
  expect(session.writableRoots).toEqual([join(dir, 'w/sub')]);
});

test('files of the server are hidden or stay as they are, and nobody may allow them', async () => {
  for (const name of ['password', 'w/workspaces.json']) await writeFile(join(dir, name), '');
  const session = permissions({ config: { sandbox: { writableRoots: [dir], tmpdir: false } } });
  expect(session.hiding({})(join(dir, 'password'))).toBe(true);
  const paths = ['w/workspaces.json', 'code/main.js', 'w/other'].map((path) => join(dir, path));
  expect(session.outside(paths, {})).toEqual(paths.slice(0, 2));
  expect(session.outside(paths, { write: [join(dir, 'w')] })).toEqual(paths.slice(0, 2));
  expect(session.never.files).toEqual([join(dir, 'password'), join(dir, 'w/workspaces.json')]);
});

test('what a patch may write is what a command may', async () => {
  await mkdir(join(dir, 'w/.git'));
  const paths = ['w/a', 'w/new/b', 'w/.git/config', 'w/.agents/x', 'data/c', 'codex/d'].map((path) =>
    join(dir, path),
  );
  const session = permissions();
  expect(session.outside(paths, {})).toEqual(paths.slice(2));
  expect(session.outside(paths, { write: [join(dir, 'data')] })).toEqual(
    paths.filter((path) => !path.endsWith('/c')).slice(2),
  );
  expect(permissions({ own: { sandbox: 'read-only' } }).outside(paths, {})).toEqual(paths);
  expect(permissions({ broken: true }).outside(paths, {})).toEqual([]);
});

test('what is hidden from commands, and what of it is not', () => {
  const session = permissions({ workspace: { otherDirs: [join(dir, 'data')] } });
  const hides = (path: string) => session.hiding({})(join(dir, path));
  expect(['codex/config.toml', 'codex/state/x', 'data/x', '.ssh/id', 'w/a', 'else'].map(hides)).toEqual([
    ...[true, true, true, false, false, false],
  ]);
  expect(session.hiding({ read: [join(dir, 'data')] })(join(dir, 'data/x'))).toBe(false);
});

test('of a home that is the workspace, the start-up files of shells are outside', () => {
  const paths = [join(dir, 'notes.txt'), join(dir, '.bashrc')];
  expect(permissions({ cwd: dir }).outside(paths, {})).toEqual([join(dir, '.bashrc')]);
});

test('keys are hidden in each home that commands could reach, also through a link', async () => {
  await symlink(join(dir, 'data'), join(dir, '.ssh'));
  const hidden = permissions().confinement({})?.hidden;
  expect(hidden).toContain(join(dir, 'data'));
  expect(hidden).toContain(join(dir, '.aws'));
});

test('nobody may allow the places of the server, but for a workspace that lies in one', () => {
  expect(permissions().never).toMatchObject({
    places: [join(dir, 'codex/state'), join(dir, 'codex'), join(dir, 'code')],
    except: [],
  });
  const demo = join(dir, 'codex/state/demo');
  expect(permissions({ cwd: demo }).never.except).toEqual([demo, demo]);
  // a workspace around them makes them no one's
  expect(permissions({ cwd: dir }).never.except).toEqual([]);
});
