import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedModel, says } from '../model/scripted-model.ts';
import { message, openTestBox, type TestBox, Watcher } from '../runtime/test-session.ts';
import { WorkspaceManager } from './manager.ts';

let box: TestBox;
let manager: WorkspaceManager;
beforeEach(async () => {
  box = await openTestBox();
  manager = open(new ScriptedModel(says('Hello.')));
});
afterEach(async () => {
  await manager.close();
  expect(box.faults).toEqual([]);
  await box.remove();
});

function open(model: ScriptedModel): WorkspaceManager {
  const board = { enabled: true, path: join(box.workDir, '.tscodex', 'w.html') };
  const entries = [
    { id: 'w', name: 'Work', dir: box.workDir, revision: '1', board },
    {
      id: 'broken',
      name: 'Broken',
      dir: '/srv/x',
      board: { enabled: false, path: '/srv/x/b.html' },
      revision: '1',
      problem: 'workspaces.json: workspaces[1].work_dir: /srv/x does not exist',
    },
  ];
  return new WorkspaceManager(entries, box.services(model));
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
  expect(manager.workspace('broken').problem).toBe(why);
  await expect(manager.createSession('broken', {})).rejects.toMatchObject({
    code: 'workspace.broken',
    message: `Broken: ${why}`,
  });
  expect(() => manager.workspace('nowhere')).toThrow('There is no workspace nowhere.');
  await expect(manager.find('nobody')).rejects.toMatchObject({ kind: 'notFound', code: 'session.unknown' });
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

test('sessions are found again by the next server, a damaged file does not stop it', async () => {
  const good = await manager.createSession('w', {});
  const bad = await manager.createSession('w', {});
  await manager.close();
  const [row] = box.db.read<{ rollout_path: string }>(
    'SELECT rollout_path FROM sessions WHERE id = ?',
    bad.id,
  );
  await mkdir(row?.rollout_path ?? '', { recursive: true });
  manager = open(new ScriptedModel());
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
