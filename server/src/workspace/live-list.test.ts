/** The list while the server runs: hands in the file, directories that go and come, workspaces that are removed. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ScriptedModel, says } from '../model/scripted-model.ts';
import type { SessionRuntime } from '../runtime/runtime.ts';
import { message, openTestBox, type TestBox, Watcher } from '../runtime/test-session.ts';
import { openListPlace } from './list-place.test-support.ts';
import { WorkspaceManager } from './manager.ts';
import { serverServices } from './server-services.test-support.ts';

let box: TestBox;
let manager: WorkspaceManager;
let model: ScriptedModel;
let warnings: string[];
beforeEach(async () => {
  box = await openTestBox();
  warnings = [];
  await start([{ id: 'w', work_dir: 'work' }]);
});
afterEach(async () => {
  await manager.close();
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function start(
  entries: unknown[],
  ...answers: ConstructorParameters<typeof ScriptedModel>
): Promise<void> {
  model = new ScriptedModel(...answers);
  manager = new WorkspaceManager(await openListPlace(box, entries, warnings), serverServices(box, model));
}

/** Resolves at the next change for which `found` holds. */
async function until(found: () => boolean): Promise<void> {
  while (!found())
    await new Promise<void>((resolve) => {
      const stop = manager.onChange(() => {
        stop();
        resolve();
      });
    });
}

/** An answer that comes only when it is not wanted any more. */
async function* hangs(_request: unknown, signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

/** A session in which a turn runs that, once it is stopped, ends only when it is released. */
async function startStubborn() {
  await manager.close();
  const [begun, released] = [signal(), signal()];
  await start([{ id: 'w', work_dir: 'work' }], async function* (_request, stop) {
    begun.give();
    await new Promise((resolve) => stop.addEventListener('abort', resolve));
    await released.given;
    stop.throwIfAborted();
  });
  const session = await manager.createSession('w', { title: 'Stubborn' });
  await session.submit(message('work'), null);
  await begun.given;
  return { session, release: released.give };
}

function signal() {
  let give!: () => void;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

const write = (...entries: unknown[]) => writeFileSync(configPath(), JSON.stringify(entries));
const moment = () => new Promise((resolve) => setTimeout(resolve, 20));

const configPath = () => join(box.dir, 'workspaces.json');
const ids = () => manager.list().map(({ id }) => id);
const whole = (id: string) => manager.workspace(id).problem === undefined;

test('a directory that goes breaks its workspace with the reason, and mends it when it is back', async () => {
  const session = await manager.createSession('w', { title: 'Kept' });
  renameSync(box.workDir, join(box.dir, 'away'));
  await until(() => !whole('w'));
  expect(manager.workspace('w')).toMatchObject({
    problem: {
      code: 'entry.dirMissing',
      message: `workspaces.json: [0].work_dir: ${box.workDir} does not exist`,
    },
    sessions: [],
  });
  await expect(manager.createSession('w', {})).rejects.toMatchObject({ code: 'workspace.broken' });
  renameSync(join(box.dir, 'away'), box.workDir);
  await until(() => whole('w'));
  expect(manager.workspace('w')).toMatchObject({ dir: box.workDir, sessions: [{ id: session.id }] });
});

test('it is also found out when a session is to be made, where the disk tells nothing', async () => {
  rmSync(box.workDir, { recursive: true });
  const made = manager.createSession('w', {});
  await expect(made).rejects.toMatchObject({
    code: 'workspace.broken',
    message: expect.stringContaining(box.workDir),
  });
  const mended = await manager.change('w', { revision: manager.workspace('w').revision, createDir: true });
  expect(mended.problem).toBeUndefined();
  await manager.createSession('w', {});
});

test('entries that hands add, change and take out show at once, and sessions stay with theirs', async () => {
  const session = await manager.createSession('w', { title: 'Mine' });
  mkdirSync(join(box.dir, 'other'));
  writeFileSync(
    configPath(),
    JSON.stringify([
      { id: 'new', work_dir: 'other' },
      { id: 'w', name: 'Named', work_dir: 'work' },
    ]),
  );
  await until(() => ids().join() === 'new,w');
  expect(manager.workspace('w')).toMatchObject({ name: 'Named', sessions: [{ id: session.id }] });
  writeFileSync(configPath(), JSON.stringify([{ id: 'new', work_dir: 'other' }]));
  await until(() => ids().join() === 'new');
  await expect(manager.find(session.id)).rejects.toMatchObject({ code: 'session.unknown' });
  writeFileSync(configPath(), JSON.stringify([{ id: 'w', work_dir: 'work' }]));
  await until(() => ids().join() === 'w');
  expect(manager.sessions('w')).toMatchObject([{ id: session.id, title: 'Mine' }]);
  expect((await manager.find(session.id)).id).toBe(session.id);
});

test('a broken file is shown and logged; the list stays', async () => {
  expect(manager.problem()).toBeNull();
  writeFileSync(configPath(), '[');
  await until(() => manager.problem() !== null);
  expect(manager.problem()).toMatchObject({
    code: 'workspaces.json',
    message: expect.stringMatching(/workspaces\.json:1:2: not valid JSON/),
    details: { path: configPath(), line: 1, column: 2 },
  });
  expect(warnings[0]).toMatch(/the list of workspaces stays as it was: .*workspaces\.json:1:2/);
  expect(ids()).toEqual(['w']);
});

test('a removed workspace ends what runs and closes its sessions; added again, they can be reopened', async () => {
  await manager.close();
  await start([{ id: 'w', work_dir: 'work' }], hangs);
  const running = await manager.createSession('w', { title: 'Running' });
  const watcher = new Watcher(running as never);
  await running.submit(message('work'), null);
  await watcher.until((state) => state.status === 'running');
  await manager.remove('w');
  expect(ids()).toEqual([]);
  await expect(manager.find(running.id)).rejects.toMatchObject({ code: 'session.unknown' });
  await expect(manager.remove('w')).rejects.toMatchObject({ kind: 'notFound' });
  // in the same directory it is the same workspace again, without tabs that come back by themselves
  expect(await manager.add({ name: 'w', dir: 'work' })).toMatchObject({ id: 'w', sessions: [] });
  expect(manager.closedSessions('w')).toMatchObject([{ id: running.id, title: 'Running' }]);
  await manager.remove('w');
  // elsewhere it is another one
  expect(await manager.add({ name: 'w', dir: 'other' })).toMatchObject({ id: 'w-2' });
  expect(manager.closedSessions('w-2')).toEqual([]);
});

test('a session keeps its directory when the workspace moves, and its model is told of the new board', async () => {
  await manager.close();
  await start([{ id: 'w', work_dir: 'work' }], says('One.'), says('Two.'));
  const session = await manager.createSession('w', {});
  const watcher = new Watcher(session as never);
  await session.submit(message('first'), null);
  await watcher.until(({ items, turn, status }) => items.length === 2 && turn === null && status === 'idle');
  const { revision } = manager.workspace('w');
  const moved = await manager.change('w', { revision, dir: 'other', createDir: true, board: 'b/plan.html' });
  expect(moved).toMatchObject({
    dir: join(box.dir, 'other'),
    board: { path: join(box.dir, 'b', 'plan.html') },
  });
  await session.submit(message('second'), null);
  await watcher.until(({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text === 'Two.'),
  );
  const [first, second] = model.requests.map((request) => JSON.stringify(request));
  expect(first).toContain('.tscodex/w.html');
  expect(second).toContain('b/plan.html');
  // the newer word comes later
  expect(second?.indexOf('b/plan.html')).toBeGreaterThan(second?.indexOf('.tscodex/w.html') ?? 0);
  expect(session.snapshot().state.cwd).toBe(box.workDir);
  expect((await manager.createSession('w', {})).snapshot().state.cwd).toBe(join(box.dir, 'other'));
});

test('a board whose place cannot be made says so, and works once it can', async () => {
  const inTheWay = join(box.workDir, '.tscodex');
  await manager.close();
  rmSync(inTheWay, { recursive: true });
  writeFileSync(inTheWay, '');
  await start([{ id: 'w', work_dir: 'work' }]);
  await until(() => !whole('w'));
  expect(manager.workspace('w').problem).toMatchObject({
    code: 'entry.boardPlace',
    message: expect.stringContaining(`.tscodex for its board cannot be made in ${box.workDir}`),
    details: { name: '.tscodex', dir: box.workDir },
  });
  rmSync(inTheWay);
  await until(() => whole('w'));
});

test('an entry that is back before a turn has stopped: the session is loaded once the old one is out', async () => {
  const { session, release } = await startStubborn();
  write();
  await until(() => ids().join() === '');
  write({ id: 'w', work_dir: 'work' });
  await until(() => ids().join() === 'w');
  const again = manager.find(session.id);
  await moment();
  release();
  expect(await again).not.toBe(session);
  expect(manager.sessions('w')).toMatchObject([{ id: session.id, status: 'idle' }]);
  expect(manager.sessions('w')[0]?.problem).toBeUndefined();
});

test('a page of a session whose entry was taken out is told so', async () => {
  const session = await manager.createSession('w', { title: 'Watched' });
  const told = new Promise((ended) => {
    session.subscribe({ snapshot: () => undefined, events: () => undefined, ended });
  });
  write();
  expect(await told).toMatch(/^Its workspace was taken out of the list/);
});

test('the end of the server waits for sessions that are leaving', async () => {
  const { release } = await startStubborn();
  write();
  await until(() => ids().join() === '');
  let closed = false;
  const closing = manager.close().then(() => {
    closed = true;
  });
  await moment();
  expect(closed).toBe(false);
  release();
  await closing;
});

test('a session that is opened again, or closed twice, while it closes: each waits for what came before', async () => {
  const { session, release } = await startStubborn();
  const closes = [manager.closeSession(session.id), manager.closeSession(session.id)];
  const reopened = manager.reopenSession('w', session.id);
  await moment();
  release();
  await Promise.all(closes);
  const { session: again, wasOpen } = await reopened;
  expect(wasOpen).toBe(false);
  expect(again).not.toBe(session);
  expect(await manager.find(session.id)).toBe(again);
  expect(manager.sessions('w')).toMatchObject([{ id: session.id }]);
  // and nothing holds its file once it is closed
  await manager.closeSession(session.id);
  expect((await manager.reopenSession('w', session.id)).wasOpen).toBe(false);
});

test('a workspace that is being removed takes nothing more, and its sessions are closed whatever goes wrong', async () => {
  const { session, release } = await startStubborn();
  const other = await manager.createSession('w', { title: 'Other' });
  const unload = vi.spyOn(other as SessionRuntime, 'unload').mockRejectedValueOnce(new Error('no disk'));
  const removing = manager.remove('w');
  await until(() => ids().join() === '');
  await expect(manager.find(session.id)).rejects.toMatchObject({ code: 'session.unknown' });
  release();
  await removing;
  expect(box.faults.splice(0)).toEqual(['could not close all sessions of w: Error: no disk']);
  await manager.add({ name: 'w', dir: 'work' });
  expect(manager.sessions('w')).toEqual([]);
  expect(manager.closedSessions('w')).toHaveLength(2);
  unload.mockRestore();
  await (other as SessionRuntime).unload('shutdown');
});
