/** A session that another program writes, and what becomes of it when that ends. Linux only: who it is can be seen there. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ScriptedModel, says } from '../model/scripted-model.ts';
import type { Session } from '../runtime/session-directory.ts';
import { findClosedSession } from '../runtime/session-rows.ts';
import { message, openTestBox, type TestBox, Watcher } from '../runtime/test-session.ts';
import { writerLock } from '../session/writer-lock.ts';
import { openListPlace } from './list-place.test-support.ts';
import { WorkspaceManager } from './manager.ts';
import { serverServices } from './server-services.test-support.ts';

let box: TestBox;
let manager: WorkspaceManager;
let other: ChildProcess | undefined;
beforeEach(async () => {
  box = await openTestBox();
  const model = new ScriptedModel(says('Hello.'), says('Again.'));
  const place = await openListPlace(box, [{ id: 'w', work_dir: 'work' }]);
  manager = new WorkspaceManager(place, serverServices(box, model));
});
afterEach(async () => {
  other?.kill('SIGKILL');
  await manager.close();
  expect(box.faults).toEqual([]);
  await box.remove();
});

/** Another program has the session's lock from now on. */
async function taken(id: string): Promise<ChildProcess> {
  const script = `exec 9>>"$1"; flock 9; echo held; exec cat`;
  const lock = writerLock(box.config.codexHome, id);
  other = spawn('sh', ['-c', script, 'sh', lock], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(other.stdout as NonNullable<typeof other.stdout>, 'data');
  return other;
}

/** A session in which something was said, closed; its file. */
async function closedSession() {
  const session = await manager.createSession('w', {});
  const watcher = new Watcher(session);
  await session.submit(message('hi'), null);
  await watcher.until(({ items, turn }) => items.length > 1 && turn === null);
  await manager.closeSession(session.id);
  return { id: session.id, path: findClosedSession(box.db, session.id)?.rolloutPath ?? '' };
}

const texts = (session: Session) =>
  session.snapshot().state.items.map((item) => ('text' in item ? item.text : item.type));
const line = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`;
const answer = (text: string) => ({
  ...{ type: 'message', role: 'assistant' },
  content: [{ type: 'output_text', text }],
});

describe.runIf(process.platform === 'linux')('while another program writes a session', () => {
  test('it is read, shown as it grows, and says who writes it', async () => {
    const { id, path } = await closedSession();
    const { pid } = await taken(id);
    const { session } = await manager.reopenSession('w', id);
    expect(session.snapshot().state).toMatchObject({ heldBy: { pid, program: 'cat' }, status: 'idle' });
    expect(texts(session)).toEqual(['hi', 'Hello.']);

    const watcher = new Watcher(session);
    await appendFile(path, line('event_msg', { type: 'task_started', turn_id: 't2' }));
    await watcher.until(({ status, turn }) => status === 'running' && turn?.id === 't2');
    await appendFile(path, line('response_item', answer('From elsewhere.')));
    await watcher.until(() => texts(session).at(-1) === 'From elsewhere.');
    await appendFile(path, line('event_msg', { type: 'task_complete', turn_id: 't2' }));
    await watcher.until(({ status, turn }) => status === 'idle' && turn === null);
    expect(manager.sessions('w')).toMatchObject([{ id, status: 'idle' }]);
  });

  test('nothing of it can be changed', async () => {
    const { id } = await closedSession();
    const { pid } = await taken(id);
    const { session } = await manager.reopenSession('w', id);
    const refused = { kind: 'conflict', code: 'session.locked', details: { program: 'cat', pid } };
    await expect(session.submit(message('me too'), null)).rejects.toMatchObject(refused);
    await expect(session.change({ title: 'x' }, null)).rejects.toMatchObject(refused);
    await expect(session.interrupt(null)).rejects.toMatchObject(refused);
  });

  test('once that has ended, also by a kill, those who look go on with it and may write', async () => {
    const { id } = await closedSession();
    const program = await taken(id);
    const { session } = await manager.reopenSession('w', id);
    const watcher = new Watcher(session);
    program.kill('SIGKILL');
    await watcher.until(({ heldBy }) => heldBy === null);
    const free = await manager.find(id);
    expect(free).not.toBe(session);
    await free.submit(message('and now?'), null);
    await watcher.until(({ items }) => items.some((item) => 'text' in item && item.text === 'Again.'));
  });

  test('it is not put away, and stays open', async () => {
    const { id } = await closedSession();
    const { pid } = await taken(id);
    await manager.reopenSession('w', id);
    const refused = { kind: 'conflict', code: 'session.locked', details: { program: 'cat', pid } };
    await expect(manager.catalog.archive(id, true)).rejects.toMatchObject(refused);
    await expect(manager.catalog.remove(id)).rejects.toMatchObject(refused);
    expect(manager.sessions('w')).toMatchObject([{ id }]);
  });

  test('one in the archive is read where it lies', async () => {
    const { id } = await closedSession();
    await manager.catalog.archive(id, true);
    await taken(id);
    const { session } = await manager.reopenSession('w', id);
    expect(texts(session)).toEqual(['hi', 'Hello.']);
    expect(manager.catalog.list({ archived: true, limit: 5 }).sessions).toMatchObject([{ id, open: true }]);
  });

  test('it can be closed meanwhile', async () => {
    const { id } = await closedSession();
    await taken(id);
    const { session } = await manager.reopenSession('w', id);
    const ended = new Promise((resolve) =>
      session.subscribe({ snapshot: () => undefined, events: () => undefined, ended: resolve }),
    );
    await manager.closeSession(id);
    expect(await ended).toBe('This session was closed.');
    expect(manager.sessions('w')).toEqual([]);
  });
});
