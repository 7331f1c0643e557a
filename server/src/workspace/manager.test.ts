import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Failure } from '../base/errors.ts';
import { ScriptedModel, says } from '../model/scripted-model.ts';
import { modelAccess } from '../runtime/model-access.ts';
import { message, openTestBox, type TestBox, Watcher } from '../runtime/test-session.ts';
import { openListPlace } from './list-place.test-support.ts';
import { WorkspaceManager } from './manager.ts';
import { serverServices } from './server-services.test-support.ts';

let box: TestBox;
let manager: WorkspaceManager;
beforeEach(async () => {
  box = await openTestBox();
  manager = await open(new ScriptedModel(says('Hello.')));
});
afterEach(async () => {
  await manager.close();
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function open(model: ScriptedModel): Promise<WorkspaceManager> {
  const entries = [
    { id: 'w', name: 'Work', work_dir: 'work' },
    { id: 'broken', name: 'Broken', work_dir: '/srv/x' },
  ];
  return new WorkspaceManager(await openListPlace(box, { workspaces: entries }), serverServices(box, model));
}

/** Resolves at the next change for which `found` holds. */
async function until(found: () => boolean): Promise<void> {
  while (!found()) {
    await new Promise<void>((resolve) => {
      const stop = manager.onChange(() => {
        stop();
        resolve();
      });
    });
  }
}

test('what drives a new session: what is asked, else what the entry says, else the configuration', async () => {
  Object.assign(box.config, { backend: 'codex' });
  Object.assign(box.config.codex, { bin: '/nowhere/codex' });
  const entries = [
    { id: 'own', work_dir: 'work', backend: 'codex-exec' },
    { id: 'w', work_dir: 'work', enable_board: false },
    { id: 'odd', work_dir: 'work', enable_board: false, backend: 'gpt' },
  ];
  const other = await openListPlace(box, { workspaces: entries });
  const list = new WorkspaceManager(other, serverServices(box, new ScriptedModel()));
  const backendOf = async (workspace: string, asked = {}) =>
    (await list.createSession(workspace, asked)).snapshot().state.backend;
  expect(await backendOf('own')).toBe('codex-exec');
  expect(await backendOf('own', { backend: 'native' })).toBe('native');
  expect(await backendOf('w')).toBe('codex');
  expect(list.backends('own').map(({ id, problem }) => [id, problem?.code])).toEqual([
    ['codex-exec', 'codex.missing'],
    ['native', undefined],
    ['codex', 'codex.missing'],
  ]);
  expect(list.backends('w').map(({ id }) => id)).toEqual(['codex', 'native', 'codex-exec']);
  expect(list.workspace('odd').problem).toMatchObject({ details: { field: 'backend' } });
  await list.close();
});

test('sessions are listed with what they do, in the order they were made', async () => {
  const first = await manager.createSession('w', { title: 'First' });
  const second = await manager.createSession('w', {});
  expect(manager.sessions('w')).toMatchObject([
    { id: first.id, title: 'First', status: 'idle', asks: [], model: 'demo' },
    { id: second.id, title: null },
  ]);
  const watcher = new Watcher(second as never);
  await second.submit(message('hi there'), null);
  await watcher.idle();
  await until(() => manager.sessions('w')[1]?.title === 'hi there');
  expect(manager.list().map(({ id, sessions }) => [id, sessions.length])).toEqual([
    ['w', 2],
    ['broken', 0],
  ]);
});

test('a broken workspace says why and takes no session; the others work', async () => {
  const why = 'workspaces.json: workspaces[1].work_dir: /srv/x does not exist';
  expect(manager.workspace('broken').problem).toMatchObject({ code: 'entry.dirMissing', message: why });
  await expect(manager.createSession('broken', {})).rejects.toMatchObject({
    code: 'workspace.broken',
    message: `Broken: ${why}`,
    details: { name: 'Broken' },
  });
  expect(() => manager.workspace('nowhere')).toThrow('There is no workspace nowhere.');
  await expect(manager.find('nobody')).rejects.toMatchObject({ kind: 'notFound', code: 'session.unknown' });
});

test('a workspace may not say what only whoever starts the server may; its sessions follow what it says', async () => {
  const session = await manager.createSession('w', {});
  const { revision } = manager.workspace('w');
  const set = (permissions: object) => manager.change('w', { revision, permissions });
  await expect(set({ sandbox: 'danger-full-access', approval: 'never' })).rejects.toMatchObject({
    code: 'permissions.unattended',
  });
  expect((await set({ approval: 'never', network: true })).newSessions).toMatchObject({
    ...{ sandboxMode: 'workspace-write', approvalPolicy: 'never', networkAccess: true, confined: false },
  });
  expect(manager.workspace('broken').newSessions).toBeUndefined();
  expect(manager.workspace('w').permissions).toEqual({
    ...{ approval: 'never', network: true },
  });
  expect(session.snapshot().state).toMatchObject({ approvalPolicy: 'never', networkAccess: true });
  const next = manager.workspace('w').revision;
  await expect(
    manager.change('w', { revision: next, permissions: { sandbox: 'danger-full-access' } }),
  ).rejects.toMatchObject({ code: 'permissions.unattended' });
});

test('closing takes a session from the list and lets another writer in; its file stays', async () => {
  const session = await manager.createSession('w', {});
  const watcher = new Watcher(session as never);
  await session.submit(message('hi'), null);
  await watcher.idle();
  await manager.closeSession(session.id);
  expect(manager.sessions('w')).toEqual([]);
  await expect(manager.find(session.id)).rejects.toMatchObject({ code: 'session.unknown' });
});

test('closed sessions are listed, the newest first, and opened again with what was said in them', async () => {
  const empty = await manager.createSession('w', {});
  const named = await manager.createSession('w', { title: 'Named' });
  const used = await manager.createSession('w', {});
  const watcher = new Watcher(used as never);
  await used.submit(message('hi'), null);
  await watcher.idle();
  await until(() => manager.sessions('w')[2]?.lastTurn != null);
  for (const { id } of [empty, named, used]) await manager.closeSession(id);
  // there is nothing in the empty one to come back for
  expect(manager.closedSessions('w')).toMatchObject([
    { id: used.id, title: 'hi', status: 'closed', asks: [], lastTurn: { status: 'completed' } },
    { id: named.id, title: 'Named' },
  ]);
  expect(manager.closedSessions('broken')).toEqual([]);

  const again = await manager.reopenSession('w', used.id);
  expect(again.wasOpen).toBe(false);
  expect(again.session.snapshot().state.items.map(({ type }) => type)).toEqual([
    'userMessage',
    'agentMessage',
  ]);
  expect(manager.sessions('w').map(({ id }) => id)).toEqual([used.id]);
  expect(await manager.reopenSession('w', used.id)).toMatchObject({ wasOpen: true });
  // also an empty one: who closed it by mistake may want it back
  expect((await manager.reopenSession('w', empty.id)).session.id).toBe(empty.id);
});

test("another workspace's session, an unknown one and one whose file is gone are not opened again", async () => {
  const session = await manager.createSession('w', {});
  const watcher = new Watcher(session as never);
  await session.submit(message('hi'), null);
  await watcher.idle();
  await until(() => manager.sessions('w')[0]?.lastTurn != null);
  await expect(manager.reopenSession('broken', session.id)).rejects.toMatchObject({
    code: 'workspace.broken',
  });
  await manager.closeSession(session.id);
  await expect(manager.reopenSession('w', uuid())).rejects.toMatchObject({
    kind: 'notFound',
    code: 'session.unknown',
  });
  box.db.writeNow("UPDATE sessions SET workspace_id = 'other'");
  await expect(manager.reopenSession('w', session.id)).rejects.toMatchObject({ kind: 'notFound' });
  box.db.writeNow("UPDATE sessions SET workspace_id = 'w'");

  const [row] = box.db.read<{ rollout_path: string }>('SELECT rollout_path FROM sessions');
  await rm(row?.rollout_path ?? '');
  await expect(manager.reopenSession('w', session.id)).rejects.toMatchObject({
    code: 'session.file-gone',
    message: expect.stringContaining(`there is no ${row?.rollout_path}`),
  });
  expect(manager.sessions('w')).toEqual([]);
  expect(manager.closedSessions('w')).toMatchObject([{ id: session.id }]);
});

test('a session whose agent could not even start comes back with the message it was sent', async () => {
  Object.assign(box.config.codex, { bin: '/nowhere/codex' });
  const session = await manager.createSession('w', { backend: 'codex-exec' });
  const watcher = new Watcher(session as never);
  await session.submit(message('hi'), null);
  await watcher.until(({ status }) => status === 'paused');
  await until(() => manager.sessions('w')[0]?.lastTurn?.status === 'failed');
  await manager.close();
  manager = await open(new ScriptedModel());
  const found = await manager.find(session.id);
  expect(found.snapshot().state.waiting).toMatchObject([{ text: 'hi' }]);
  await manager.closeSession(session.id);
  const { session: again } = await manager.reopenSession('w', session.id);
  expect(again.snapshot().state.waiting).toMatchObject([{ text: 'hi' }]);
});

test('a session that cannot be loaded stays closed', async () => {
  const session = await manager.createSession('w', { title: 'Mine' });
  await manager.closeSession(session.id);
  const [row] = box.db.read<{ rollout_path: string }>('SELECT rollout_path FROM sessions');
  await mkdir(row?.rollout_path ?? '', { recursive: true });
  await expect(manager.reopenSession('w', session.id)).rejects.toMatchObject({ code: 'rollout.unreadable' });
  expect(manager.sessions('w')).toEqual([]);
  expect(manager.closedSessions('w')).toMatchObject([{ id: session.id }]);
});

test('the order of sessions can be changed, and outlives the server', async () => {
  const ids: string[] = [];
  for (const title of ['a', 'b', 'c']) ids.push((await manager.createSession('w', { title })).id);
  const titles = () => manager.sessions('w').map(({ title }) => title);
  await manager.moveSession(ids[2] ?? '', 0);
  expect(titles()).toEqual(['c', 'a', 'b']);
  await manager.moveSession(ids[2] ?? '', 99);
  expect(titles()).toEqual(['a', 'b', 'c']);
  await manager.moveSession(ids[0] ?? '', 1);
  await manager.close();
  manager = await open(new ScriptedModel());
  expect(titles()).toEqual(['b', 'a', 'c']);
  await expect(manager.moveSession(uuid(), 0)).rejects.toMatchObject({ kind: 'notFound' });
});

test('a session works where it was asked to, below the directory of its workspace', async () => {
  await mkdir(join(box.workDir, 'below'));
  const session = await manager.createSession('w', { cwd: 'below' });
  expect(session.snapshot().state.cwd).toBe(join(box.workDir, 'below'));
  await expect(manager.createSession('w', { cwd: '..' })).rejects.toMatchObject({
    code: 'session.cwd-outside',
  });
  expect(manager.sessions('w')).toHaveLength(1);
});

test('sessions are found again by the next server, a damaged file does not stop it', async () => {
  const good = await manager.createSession('w', {});
  const bad = await manager.createSession('w', {});
  await manager.close();
  const [row] = box.db.read<{ rollout_path: string }>(
    'SELECT rollout_path FROM sessions WHERE id = ?',
    bad.id,
  );
  await mkdir(row?.rollout_path ?? '', { recursive: true });
  await manager.close();
  manager = await open(new ScriptedModel());
  expect((await manager.find(good.id)).id).toBe(good.id);
  await expect(manager.find(bad.id)).rejects.toMatchObject({ code: 'rollout.unreadable' });
  expect(manager.sessions('w').map(({ id, problem }) => [id, problem !== undefined])).toEqual([
    [good.id, false],
    [bad.id, true],
  ]);
  // and it can be closed all the same
  await manager.closeSession(bad.id);
  expect(manager.sessions('w').map(({ id }) => id)).toEqual([good.id]);
});

test('the board has a place out of the way of git, and its version follows the file', async () => {
  expect(manager.workspace('w').board.version).toBeNull();
  await mkdir(join(box.workDir, '.tscodex'), { recursive: true });
  await writeFile(join(box.workDir, '.tscodex', 'w.html'), '<h1>One</h1>');
  await until(() => manager.workspace('w').board.version !== null);
  const before = manager.workspace('w').board.version;
  await writeFile(join(box.workDir, '.tscodex', 'w.html'), '<h1>Two, and longer</h1>');
  await until(() => manager.workspace('w').board.version !== before);
});

test('what waited when a session was closed waits for a person when it is opened again', async () => {
  await manager.close();
  let begun = () => undefined as unknown;
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const model = new ScriptedModel(async function* (_request, signal) {
    begun();
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }, says('The second.'));
  await manager.close();
  manager = await open(model);
  const { id, submit } = await manager.createSession('w', {}).then((session) => ({
    id: session.id,
    submit: session.submit.bind(session),
  }));
  await submit(message('first'), null);
  await started;
  await submit(message('second', 'queue'), null);
  await manager.closeSession(id);
  await manager.reopenSession('w', id);
  // also when the server is restarted before anybody looks
  await manager.close();
  manager = await open(model);
  await manager.resumeUnfinished();
  const session = await manager.find(id);
  const { state } = session.snapshot();
  expect(state).toMatchObject({ status: 'paused', waiting: [{ text: 'second' }] });
  expect(state.items.at(-1)).toMatchObject({ type: 'notice', code: 'session.reopened' });
  expect(model.requests).toHaveLength(1);
  const watcher = new Watcher(session as never);
  await session.resume(null);
  await watcher.until(({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text === 'The second.'),
  );
  await watcher.idle();
  await manager.closeSession(id);
  expect((await manager.reopenSession('w', id)).session.snapshot().state.status).toBe('idle');
});

test('a session whose configuration is broken says so, and goes on once it is whole', async () => {
  const model = new ScriptedModel(says('Hello.'));
  const created = await manager.createSession('w', {});
  await created.submit(message('later', 'queue'), null);
  await manager.close();
  const services = serverServices(box, model);
  const broken = new Failure('invalid', 'config.type', 'config.toml:1: model: expected string, found number');
  let whole = false;
  let changed: () => void = () => undefined;
  const configs = {
    ...services.configs,
    async of() {
      if (whole) return box.config;
      throw broken;
    },
    get report() {
      const { code, message: text } = broken;
      return { problems: whole ? [] : [{ code, message: text }], notices: [] };
    },
    onChange(listener: () => void) {
      changed = listener;
      return () => undefined;
    },
  };
  await manager.close();
  manager = new WorkspaceManager(await openListPlace(box, [{ id: 'w', work_dir: 'work' }]), {
    ...services,
    configs,
  });
  await manager.resumeUnfinished();
  expect(manager.sessions('w')).toMatchObject([{ id: created.id, problem: { code: 'config.type' } }]);
  whole = true;
  changed();
  await until(() => manager.sessions('w')[0]?.problem === undefined);
  expect(manager.configReport()).toEqual({ problems: [], notices: [] });
});

test('a session whose model cannot be called goes on once that is mended: on resume, and with the next message', async () => {
  const model = new ScriptedModel(says('Hello.'), says('Again.'));
  const services = serverServices(box, model);
  const broken = { ...box.config, model: { kind: 'broken', problem: 'provider x is not known' } } as const;
  let config: typeof box.config = broken;
  await manager.close();
  manager = new WorkspaceManager(await openListPlace(box, [{ id: 'w', work_dir: 'work' }]), {
    ...services,
    configs: { ...services.configs, of: async () => config },
    modelsOf: (first, again) => {
      const access = modelAccess({ config: first, again, version: '0' });
      return { ...access, client: (name) => access.client(name) && model };
    },
  });
  const session = await manager.createSession('w', {});
  const watcher = new Watcher(session as never);
  await session.submit(message('hello', 'queue'), null);
  const status = () => session.snapshot().state.status;
  await watcher.until(() => status() === 'paused');
  expect(JSON.stringify(session.snapshot().state.items)).toContain(
    'provider x is not known. Mend it, then resume',
  );
  await session.submit(message('still broken?', 'queue'), null);
  await watcher.until(
    ({ items }) => items.filter((item) => JSON.stringify(item).includes('is not known')).length === 2,
  );
  const provider = {
    ...{
      id: 'x',
      baseUrl: 'http://127.0.0.1:9',
      queryParams: {},
      apiKey: () => undefined,
      headers: () => ({}),
    },
    ...{ maxRetries: 0, requestMaxRetries: 0, idleTimeoutMs: 1000 },
  };
  config = { ...box.config, model: { kind: 'configured', name: 'mended-1', provider } };
  await session.resume(null);
  await watcher.until(({ items }) => JSON.stringify(items).includes('Again.'));
  expect(model.requests.map((request) => request.model)).toEqual(['mended-1', 'mended-1']);
  expect(session.snapshot().state.model).toBe('mended-1');
});
