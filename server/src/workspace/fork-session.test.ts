/** Sessions that begin with the conversation of another one. */
import { rm } from 'node:fs/promises';
import type { SessionState } from '@tscodex/shared/session-state';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { textOf } from '../base/response-items.ts';
import type { ModelRequest } from '../model/client.ts';
import { hangsAfter, ScriptedModel, says } from '../model/scripted-model.ts';
import type { Session } from '../runtime/session-directory.ts';
import { findSession } from '../runtime/session-rows.ts';
import { ONE_SHOT } from '../runtime/sub-agents/family.ts';
import { message, openTestBox, type TestBox, Watcher } from '../runtime/test-session.ts';
import { openListPlace } from './list-place.test-support.ts';
import { WorkspaceManager } from './manager.ts';
import { serverServices } from './server-services.test-support.ts';

let box: TestBox;
let manager: WorkspaceManager;
let model: ScriptedModel;
beforeEach(async () => {
  box = await openTestBox();
});
afterEach(async () => {
  await manager.close();
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function open(...answers: ConstructorParameters<typeof ScriptedModel>): Promise<void> {
  model = new ScriptedModel(...answers);
  const workspaces = [{ id: 'w', name: 'Work', work_dir: 'work' }];
  manager = new WorkspaceManager(await openListPlace(box, { workspaces }), serverServices(box, model));
}

async function say(session: Session, text: string): Promise<SessionState> {
  const watcher = new Watcher(session as never);
  await session.submit(message(text), null);
  return watcher.idle();
}

const said = ({ items }: SessionState) =>
  items.flatMap((item) => (item.type === 'userMessage' || item.type === 'agentMessage' ? [item.text] : []));
const told = (request: ModelRequest | undefined) =>
  (request?.input ?? []).flatMap((item) => {
    const text = item.type === 'message' && item.role !== 'developer' ? textOf(item) : '';
    return text === '' || text.startsWith('<') ? [] : [text];
  });

test('a fork stands beside its source with its settings, and each goes on by itself', async () => {
  await open(says('One.'), says('Two.'), says('In the fork.'), says('In the source.'));
  const source = await manager.createSession('w', { title: 'Talk', effort: 'high', cwd: '.' });
  const other = await manager.createSession('w', { title: 'Talk (2)' });
  await source.change({ sandbox: 'read-only', network: false }, null);
  await say(source, 'first');
  await say(source, 'second');
  const fork = await manager.forkSession(source.id);
  expect(manager.sessions('w').map(({ id, title }) => [id, title])).toEqual([
    ...[[source.id, 'Talk'] as const, [fork.id, 'Talk (3)'] as const],
    [other.id, 'Talk (2)'],
  ]);
  const { state } = fork.snapshot();
  expect(state).toMatchObject({
    ...{ forkedFrom: source.id, effort: 'high', status: 'idle', waiting: [], asks: [], clock: null },
    ownPermissions: { sandbox: 'read-only', network: false },
  });
  expect(said(state)).toEqual(['first', 'One.', 'second', 'Two.']);
  expect(said(await say(fork, 'here'))).toContain('In the fork.');
  expect(told(model.requests.at(-1))).toEqual(['first', 'One.', 'second', 'Two.', 'here']);
  expect(said(await say(source, 'there'))).not.toContain('In the fork.');
  expect(told(model.requests.at(-1))).toEqual(['first', 'One.', 'second', 'Two.', 'there']);
});

test('a fork of a Codex that did one task goes on with our agent', async () => {
  await open(says('One.'), says('In the fork.'));
  const source = await manager.createSession('w', {});
  await say(source, 'first');
  await box.db.write('UPDATE sessions SET backend = ? WHERE id = ?', ONE_SHOT, source.id);
  const fork = await manager.forkSession(source.id);
  expect(fork.snapshot().state.backend).toBe('native');
  expect(said(await say(fork, 'and then?'))).toEqual(['first', 'One.', 'and then?', 'In the fork.']);
});

test('before a message: what it was is gone; a fork before the first is named by its own', async () => {
  await open(says('One.'), says('Two.'), says('Anew.'));
  const source = await manager.createSession('w', {});
  const { items } = await say(source, 'first');
  const later = await say(source, 'second');
  const second = later.items.find((item) => item.type === 'userMessage' && item.text === 'second');
  expect(said((await manager.forkSession(source.id, second?.id)).snapshot().state)).toEqual([
    'first',
    'One.',
  ]);
  const empty = await manager.forkSession(source.id, items.find((item) => item.type === 'userMessage')?.id);
  expect(empty.snapshot().state).toMatchObject({ items: [], title: null, forkedFrom: source.id });
  expect(await say(empty, 'quite another')).toMatchObject({ forkedFrom: source.id });
  expect(told(model.requests.at(-1))).toEqual(['quite another']);
  await expect(manager.forkSession(source.id, 'nowhere')).rejects.toMatchObject({ code: 'item.unknown' });
  await expect(manager.forkSession('nowhere')).rejects.toMatchObject({ code: 'session.unknown' });
  expect(manager.sessions('w')).toHaveLength(3);
});

test('/fork while a turn runs has what has ended, and says where it is; it outlives a restart and a close', async () => {
  await open(says('One.'), hangsAfter('Half'));
  const source = await manager.createSession('w', { title: 'Talk' });
  await say(source, 'first');
  const watcher = new Watcher(source as never);
  await source.submit(message('second'), null);
  await watcher.until((state) => said(state).includes('Half'));
  await source.submit(message('/fork'), null);
  const { items } = await watcher.until(({ items }) =>
    items.some((item) => item.type === 'notice' && item.code === 'command.fork'),
  );
  const notice = items.find((item) => item.type === 'notice' && item.code === 'command.fork');
  expect(notice).toMatchObject({
    text: 'This conversation goes on in “Talk (2)” as well.',
    details: { title: 'Talk (2)' },
  });
  const id = manager.sessions('w')[1]?.id ?? '';
  expect(notice).toMatchObject({ details: { sessionId: id } });
  expect(said((await manager.find(id)).snapshot().state)).toEqual(['first', 'One.']);
  await manager.close();
  await open();
  expect((await manager.find(id)).snapshot().state).toMatchObject({
    forkedFrom: source.id,
    title: 'Talk (2)',
  });
  await manager.closeSession(id);
  const row = manager.closedSessions('w').find((closed) => closed.id === id);
  expect(row).toMatchObject({ title: 'Talk (2)' });
});

test('a fork whose file is gone is not opened again as an empty session', async () => {
  await open(says('One.'));
  const source = await manager.createSession('w', { title: 'Talk' });
  await say(source, 'first');
  const { id } = await manager.forkSession(source.id);
  const { rolloutPath } = findSession(box.db, id) ?? { rolloutPath: '' };
  await manager.closeSession(id);
  await rm(rolloutPath);
  await expect(manager.reopenSession('w', id)).rejects.toMatchObject({ code: 'session.file-gone' });
});
