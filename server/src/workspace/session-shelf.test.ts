import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { CatalogEntry } from '@tscodex/shared/catalog';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tryLock } from '../base/file-lock.ts';
import { ScriptedModel, says } from '../model/scripted-model.ts';
import { sweepDeleted } from '../runtime/deleted-sessions.ts';
import { message, openTestBox, type TestBox, Watcher } from '../runtime/test-session.ts';
import { sessionId, writeSession } from '../session/catalog/session-files.test-support.ts';
import { openListPlace } from './list-place.test-support.ts';
import { WorkspaceManager } from './manager.ts';
import { serverServices } from './server-services.test-support.ts';
import type { ServerServices } from './session-services.ts';

let box: TestBox;
let services: ServerServices;
let manager: WorkspaceManager;
beforeEach(async () => {
  box = await openTestBox();
  services = serverServices(box, new ScriptedModel(says('Hello.'), says('Hello again.')));
  await mkdir(join(box.workDir, 'src'));
  const entries = [
    { id: 'w', work_dir: 'work' },
    { id: 'other', work_dir: 'work/other' },
  ];
  await mkdir(join(box.workDir, 'other'));
  manager = new WorkspaceManager(await openListPlace(box, { workspaces: entries }), services);
});
afterEach(async () => {
  await manager.close();
  expect(box.faults).toEqual([]);
  await box.remove();
});

const QUERY = { archived: false, limit: 50 };

/** A session of Codex in the catalogue; returns the path of its file. */
async function codexSession(n: number, cwd = box.workDir, meta: Record<string, unknown> = {}) {
  const { codexHome } = box.config;
  const path = writeSession({ codexHome }, n, [`Question ${n}`, `Answer ${n}`], { meta: { cwd, ...meta } });
  await services.catalog.moved([path]);
  return path;
}

function listed(query: Partial<Parameters<typeof manager.catalog.list>[0]> = {}): CatalogEntry[] {
  return manager.catalog.list({ ...QUERY, ...query }).sessions;
}

const ids = (entries: readonly CatalogEntry[]) => entries.map(({ id }) => id);

async function said(id: string): Promise<string[]> {
  const { items } = (await manager.find(id)).snapshot().state;
  return items.flatMap((item) => ('text' in item ? [item.text as string] : []));
}

test('a session that Codex made is listed, opened where it worked, and goes on in its file', async () => {
  const path = await codexSession(1, join(box.workDir, 'src'));
  expect(listed()).toEqual([
    {
      ...{ id: sessionId(1), title: null, preview: 'Question 1', cwd: join(box.workDir, 'src') },
      ...{ originator: 'codex_cli_rs', model: null, archived: false, forkedFrom: null },
      ...{ createdAt: '2026-11-30T08:01:00.000Z', lastActivityAt: '2026-11-30T08:01:00.000Z' },
      ...{ bytes: readFileSync(path).length, workspaceId: 'w', open: false },
    },
  ]);
  const { session, wasOpen } = await manager.reopenSession('w', sessionId(1));
  expect([wasOpen, session.snapshot().state]).toMatchObject([
    false,
    { title: 'Question 1', cwd: join(box.workDir, 'src'), workspaceId: 'w' },
  ]);
  expect(await said(sessionId(1))).toEqual(['Question 1', 'Answer 1']);
  expect(listed()[0]).toMatchObject({ open: true, title: 'Question 1' });
  const watcher = new Watcher(session as never);
  await session.submit(message('and now?'), null);
  await watcher.idle();
  expect(readFileSync(path, 'utf8')).toContain('and now?');
  expect((await manager.reopenSession('w', sessionId(1))).wasOpen).toBe(true);
});

test('a session that Codex has reverted while it was out of memory goes on where Codex does', async () => {
  const path = await codexSession(1);
  await manager.reopenSession('w', sessionId(1));
  expect(await said(sessionId(1))).toEqual(['Question 1', 'Answer 1']);
  await manager.closeSession(sessionId(1));
  const { codexHome } = box.config;
  const other = writeSession({ codexHome }, 2, ['Question 1', 'Another answer'], {
    meta: { cwd: box.workDir, id: sessionId(1) },
  });
  const reverted = path.replace('.jsonl', '_01a22f90-397a-770a-9cd2-f554d0a6414b.jsonl');
  await rename(other, reverted);
  await services.catalog.moved([other, reverted]);
  await manager.reopenSession('w', sessionId(1));
  expect(await said(sessionId(1))).toEqual(['Question 1', 'Another answer']);
  const watcher = new Watcher((await manager.find(sessionId(1))) as never);
  await (await manager.find(sessionId(1))).submit(message('and now?'), null);
  await watcher.idle();
  expect(readFileSync(reverted, 'utf8')).toContain('and now?');
  expect(readFileSync(path, 'utf8')).not.toContain('and now?');
});

test('what worked elsewhere, or in a directory that is gone, goes on in the workspace and says so', async () => {
  await codexSession(1, '/somewhere/else');
  const gone = join(box.workDir, 'gone');
  await codexSession(2, gone);
  expect(listed().map(({ workspaceId }) => workspaceId)).toEqual(['w', null]);
  for (const [n, cwd] of [
    [1, '/somewhere/else'],
    [2, gone],
  ] as const) {
    const { session } = await manager.reopenSession('w', sessionId(n));
    expect(session.snapshot().state.cwd).toBe(box.workDir);
    expect(await said(sessionId(n))).toEqual([
      ...[`Question ${n}`, `Answer ${n}`],
      `This session worked in ${cwd}, which is not in this workspace or not there any more. It goes on in ${box.workDir}.`,
    ]);
  }
});

test('a workspace has what was opened in it and what worked in its directory, but not in one further in', async () => {
  await codexSession(1);
  await codexSession(2, join(box.workDir, 'other'));
  await codexSession(3, '/elsewhere');
  await codexSession(4, `${box.workDir}-not`);
  expect(ids(listed({ workspace: 'w' }))).toEqual([sessionId(1)]);
  expect(ids(listed({ workspace: 'other' }))).toEqual([sessionId(2)]);
  await manager.reopenSession('other', sessionId(3));
  await manager.reopenSession('other', sessionId(1));
  expect(ids(listed({ workspace: 'w' }))).toEqual([]);
  expect(ids(listed({ workspace: 'other' }))).toEqual([3, 2, 1].map(sessionId));
  expect(() => listed({ workspace: 'nowhere' })).toThrow('There is no workspace nowhere.');
  const found = manager.catalog.search({ q: 'question', workspace: 'other', limit: 10 });
  expect(found.sessions.map(({ session }) => session.id)).toEqual([3, 2, 1].map(sessionId));
});

test('a session is found by its own title, by its first words, directory and id', async () => {
  await codexSession(1, join(box.workDir, 'src'));
  await codexSession(2);
  const { session } = await manager.reopenSession('w', sessionId(2));
  await session.change({ title: '100% 部署' }, null);
  for (const [q, expected] of [
    ['question 1', [1]],
    ['/src', [1]],
    ['100%', [2]],
    ['部署', [2]],
    [sessionId(2), [2]],
    ['question', [2, 1]],
    ['%', [2]],
    ['_', []],
    ["' OR 1=1 --", []],
  ] as const)
    expect([q, ids(listed({ q }))]).toEqual([q, expected.map(sessionId)]);
});

test('an archived session lies where Codex keeps them, is closed, and comes back when it is opened', async () => {
  const path = await codexSession(1);
  await manager.reopenSession('w', sessionId(1));
  await manager.catalog.archive(sessionId(1), true);
  const archive = join(box.config.codexHome, 'archived_sessions', basename(path));
  expect([existsSync(path), existsSync(archive)]).toEqual([false, true]);
  expect(manager.sessions('w')).toEqual([]);
  expect([ids(listed()), listed({ archived: true })]).toMatchObject([
    [],
    [{ id: sessionId(1), archived: true, open: false }],
  ]);
  await manager.catalog.archive(sessionId(1), true);
  await manager.catalog.archive(sessionId(1), false);
  expect([existsSync(path), ids(listed())]).toEqual([true, [sessionId(1)]]);
  await manager.catalog.archive(sessionId(1), true);
  await manager.reopenSession('w', sessionId(1));
  expect([existsSync(path), await said(sessionId(1))]).toEqual([true, ['Question 1', 'Answer 1']]);
  expect(listed()).toMatchObject([{ id: sessionId(1), archived: false, open: true }]);
});

test('of a session with two files of one name nothing is moved, and both are named', async () => {
  const path = await codexSession(1);
  const other = join(box.config.codexHome, 'sessions', basename(path));
  await copyFile(path, other);
  await services.catalog.moved([other]);
  await expect(manager.catalog.archive(sessionId(1), true)).rejects.toMatchObject({
    code: 'session.same-name',
    details: { path: expect.any(String), other: expect.any(String) },
  });
  expect([existsSync(path), existsSync(other)]).toEqual([true, true]);
  // what is deleted may have any names
  await manager.catalog.remove(sessionId(1));
  expect([existsSync(path), existsSync(other)]).toEqual([false, false]);
  await manager.catalog.restore(sessionId(1));
  expect([existsSync(path), existsSync(other)]).toEqual([true, true]);
});

test('a tab whose file was archived elsewhere is broken, says so, and comes out of the archive as it is opened', async () => {
  const path = await codexSession(1);
  await manager.reopenSession('w', sessionId(1));
  await manager.close();
  const archive = join(box.config.codexHome, 'archived_sessions', basename(path));
  await mkdir(dirname(archive));
  await rename(path, archive);
  services = serverServices(box, new ScriptedModel());
  await services.catalog.moved([path, archive]);
  manager = new WorkspaceManager(
    await openListPlace(box, { workspaces: [{ id: 'w', work_dir: 'work' }] }),
    services,
  );
  await expect(manager.find(sessionId(1))).rejects.toMatchObject({ code: 'session.file-gone' });
  expect(manager.sessions('w')).toMatchObject([{ problem: { code: 'session.file-gone' } }]);
  expect(existsSync(path)).toBe(false);
  await manager.reopenSession('w', sessionId(1));
  expect([existsSync(path), await said(sessionId(1))]).toEqual([true, ['Question 1', 'Answer 1']]);
  expect(manager.sessions('w')[0]).not.toHaveProperty('problem');
});

test('a session that was just made can be put away at once', async () => {
  const session = await manager.createSession('w', {});
  const watcher = new Watcher(session as never);
  await session.submit(message('hi'), null);
  await watcher.idle();
  await manager.catalog.archive(session.id, true);
  expect(listed({ archived: true })).toMatchObject([{ id: session.id, title: 'hi', originator: 'tscodex' }]);
  await manager.reopenSession('w', session.id);
  expect(await said(session.id)).toEqual(['hi', 'Hello.']);
});

test('a deleted session is gone, can be restored as it was, and is swept after a week', async () => {
  const path = await codexSession(1);
  await manager.reopenSession('w', sessionId(1));
  await codexSession(2);
  const before = readFileSync(path, 'utf8');
  const { restorableUntil } = await manager.catalog.remove(sessionId(1));
  const days = (Date.parse(restorableUntil) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(7);
  expect([existsSync(path), ids(listed()), manager.sessions('w'), manager.closedSessions('w')]).toEqual([
    ...[false, [sessionId(2)], [], []],
  ]);
  const unknown = { kind: 'notFound', code: 'session.unknown' };
  const deleted = {
    ...{ kind: 'notFound', code: 'session.deleted' },
    message: `This session was deleted; it can be restored until ${restorableUntil.slice(0, 10)}.`,
  };
  await expect(manager.reopenSession('w', sessionId(1))).rejects.toMatchObject(deleted);
  await expect(manager.find(sessionId(1))).rejects.toMatchObject(deleted);
  await expect(manager.catalog.remove(sessionId(1))).rejects.toMatchObject(unknown);
  await manager.catalog.restore(sessionId(1));
  const restored = [before, [2, 1].map(sessionId)];
  expect([readFileSync(path, 'utf8'), ids(listed())]).toEqual(restored);
  // once more does no harm: what followed the first time may have failed
  await manager.catalog.restore(sessionId(1));
  expect([readFileSync(path, 'utf8'), ids(listed())]).toEqual(restored);
  await manager.reopenSession('w', sessionId(1));
  expect(await said(sessionId(1))).toEqual(['Question 1', 'Answer 1']);

  await manager.catalog.remove(sessionId(1));
  await sweepDeleted(box.db, box.stateDir, Date.now() + 6 * 86_400_000);
  await manager.catalog.restore(sessionId(1));
  await manager.catalog.remove(sessionId(1));
  await sweepDeleted(box.db, box.stateDir, Date.now() + 8 * 86_400_000);
  await expect(manager.catalog.restore(sessionId(1))).rejects.toMatchObject({ code: 'session.not-deleted' });
  expect(existsSync(join(box.stateDir, 'deleted-sessions', sessionId(1)))).toBe(false);
  expect(box.db.read('SELECT id FROM sessions WHERE id = ?', sessionId(1))).toEqual([]);
});

test('a session in which nothing was said yet can be deleted and restored', async () => {
  const session = await manager.createSession('w', { title: 'Plan' });
  await manager.catalog.remove(session.id);
  expect(manager.closedSessions('w')).toEqual([]);
  await manager.catalog.restore(session.id);
  expect(manager.closedSessions('w')).toMatchObject([{ id: session.id, title: 'Plan' }]);
});

test('what another program writes stays where it is, and says who that is', async () => {
  const path = await codexSession(1);
  const lock = tryLock(join(box.config.codexHome, 'thread-writer-locks', `${sessionId(1)}.lock`));
  const refused = { kind: 'conflict', code: 'session.locked' };
  await expect(manager.catalog.archive(sessionId(1), true)).rejects.toMatchObject(refused);
  await expect(manager.catalog.remove(sessionId(1))).rejects.toMatchObject(refused);
  expect([existsSync(path), ids(listed())]).toEqual([true, [sessionId(1)]]);
  await expect(manager.catalog.restore(sessionId(9))).rejects.toMatchObject({ code: 'session.not-deleted' });
  lock?.release();
  await manager.catalog.remove(sessionId(1));
  expect(existsSync(path)).toBe(false);
});

test('a session in whose file another one begins is not deleted; those of its sub-agents go with it', async () => {
  await codexSession(1);
  const base = { thread_id: sessionId(1), end_ordinal_exclusive: 3, end_byte_offset: 10 };
  await codexSession(2, box.workDir, { forked_from_id: sessionId(1), history_base: base });
  await expect(manager.catalog.remove(sessionId(1))).rejects.toMatchObject({
    code: 'session.has-forks',
    details: { session: sessionId(2) },
  });
  expect(listed()[0]).toMatchObject({ id: sessionId(2), forkedFrom: sessionId(1) });
  const spawn = { thread_spawn: { parent_thread_id: sessionId(2), depth: 1 } };
  const child = await codexSession(3, box.workDir, { source: { subagent: spawn } });
  expect(ids(listed())).toEqual([2, 1].map(sessionId));
  await manager.catalog.remove(sessionId(2));
  expect(existsSync(child)).toBe(false);
  await manager.catalog.restore(sessionId(2));
  expect(existsSync(child)).toBe(true);
  await manager.catalog.remove(sessionId(2));
  await manager.catalog.remove(sessionId(1));
  expect(listed()).toEqual([]);
});

test('of two people who open the same session one makes it', async () => {
  await codexSession(1);
  const opened = await Promise.all([1, 2].map(() => manager.reopenSession('w', sessionId(1))));
  expect(opened.map(({ session }) => session.id)).toEqual([1, 1].map(sessionId));
  expect(manager.sessions('w')).toHaveLength(1);
});

test('a session that is not there is not put away', async () => {
  for (const id of [sessionId(9), '../../etc/passwd', ''])
    for (const act of [() => manager.catalog.archive(id, true), () => manager.catalog.remove(id)])
      await expect(act()).rejects.toMatchObject({ kind: 'notFound', code: 'session.unknown' });
});

test('whoever only looks at a session leaves its file as it is, and it stays where that says', async () => {
  const path = await codexSession(1);
  const before = readFileSync(path, 'utf8');
  const places = () => [
    ...listed().map(({ workspaceId, cwd }) => [workspaceId, cwd]),
    ...['w', 'other'].map((workspace) => ids(listed({ workspace }))),
    ...['w', 'other'].map((workspace) => manager.closedSessions(workspace).map(({ id }) => id)),
  ];
  const visit = async () => (await manager.reopenSession('other', sessionId(1))).session;
  await visit();
  expect(listed()).toMatchObject([{ workspaceId: 'other', open: true }]);
  await manager.closeSession(sessionId(1));
  expect(readFileSync(path, 'utf8')).toBe(before);
  expect(places()).toEqual([['w', box.workDir], [sessionId(1)], [], [], []]);
  // at home it is as it was, and so it is after that
  const { session: home } = await manager.reopenSession('w', sessionId(1));
  expect(home.snapshot().state).toMatchObject({ workspaceId: 'w', cwd: box.workDir });
  expect(await said(sessionId(1))).toEqual(['Question 1', 'Answer 1']);
  await manager.closeSession(sessionId(1));
  // once somebody speaks it is the other one's, and its file tells that it moved before it tells what was said
  const visited = await visit();
  const watcher = new Watcher(visited as never);
  await visited.submit(message('and now?'), null);
  await watcher.idle();
  await manager.closeSession(sessionId(1));
  expect(places()).toEqual([
    ...[['other', join(box.workDir, 'other')], [], [sessionId(1)], [], [sessionId(1)]],
  ]);
  await manager.reopenSession('other', sessionId(1));
  const moved = `This session worked in ${box.workDir}, which is not in this workspace or not there any more. It goes on in ${join(box.workDir, 'other')}.`;
  expect(await said(sessionId(1))).toEqual(['Question 1', 'Answer 1', moved, 'and now?', 'Hello.']);
});
