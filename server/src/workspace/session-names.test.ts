/** What sessions are called here and in Codex: one list of names. */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedModel, says } from '../model/scripted-model.ts';
import { message, openTestBox, type TestBox, Watcher } from '../runtime/test-session.ts';
import { GivenNames } from '../session/given-names.ts';
import { openListPlace } from './list-place.test-support.ts';
import { WorkspaceManager } from './manager.ts';
import { serverServices } from './server-services.test-support.ts';
import type { ServerServices } from './session-services.ts';

let box: TestBox;
let services: ServerServices;
let manager: WorkspaceManager;
beforeEach(async () => {
  box = await openTestBox();
  await start();
});
async function start(): Promise<void> {
  // what was given by the server before, this one does not know
  const names = new GivenNames(box.config.codexHome);
  services = { ...serverServices(box, new ScriptedModel(says('Hello.'))), names };
  const place = await openListPlace(box, { workspaces: [{ id: 'w', work_dir: 'work' }] });
  manager = new WorkspaceManager(place, services);
  services.catalog.start();
  await services.catalog.settled;
}
afterEach(async () => {
  await manager.close();
  await services.names.settled;
  expect(box.faults).toEqual([]);
  await box.remove();
});

const index = () => join(box.config.codexHome, 'session_index.jsonl');

/** Names in the order they were given in. */
function given(): [string, string][] {
  const lines = readFileSync(index(), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line)).map(({ id, thread_name }) => [id, thread_name]);
}

function namedByCodex(id: string, name: string): void {
  appendFileSync(
    index(),
    `${JSON.stringify({ id, thread_name: name, updated_at: '2026-01-01T00:00:00Z' })}\n`,
  );
}

test('a title that somebody has given is told to Codex, one that nobody chose is not', async () => {
  const session = await manager.createSession('w', {});
  const watcher = new Watcher(session);
  await session.submit(message('Look into it'), null);
  await watcher.until(({ title }) => title === 'Look into it');
  await watcher.idle();
  const named = await manager.createSession('w', { title: ' Made  with a title ' });
  await session.change({ title: 'By the page' }, 'Ada');
  await session.submit(message('/title  By a\tcommand'), 'Ada');
  await watcher.until(({ title }) => title === 'By a command');
  await services.names.settled;
  // taken away again before what was written has been read
  await session.change({ title: '' }, 'Ada');
  namedByCodex(named.id, 'Read');
  await expect.poll(() => named.snapshot().state.title).toBe('Read');
  expect(watcher.state?.title).toBe(null);
  expect(given()).toEqual([
    [named.id, 'Made with a title'],
    [session.id, 'By the page'],
    [session.id, 'By a command'],
    [named.id, 'Read'],
  ]);
});

test('what Codex calls a session later is what it is called here, open or closed', async () => {
  const open = await manager.createSession('w', { title: 'Mine' });
  const closed = await manager.createSession('w', { title: 'Closed' });
  await manager.closeSession(closed.id);
  await services.names.settled;
  const watcher = new Watcher(open);
  namedByCodex(closed.id, 'Put away by Codex');
  namedByCodex(open.id, ' 由 Codex \n 命名 ');
  await watcher.until(({ title }) => title === '由 Codex 命名');
  expect(manager.sessions('w')).toMatchObject([{ id: open.id, title: '由 Codex 命名' }]);
  const { session } = await manager.reopenSession('w', closed.id);
  expect(session.snapshot().state.title).toBe('Put away by Codex');
  await open.change({ title: 'Mine again' }, null);
  await services.names.settled;
  expect(given().at(-1)).toEqual([open.id, 'Mine again']);
  expect(open.snapshot().state.title).toBe('Mine again');
});

test('a catalogue that is made anew brings no old name back, and takes later ones over', async () => {
  const session = await manager.createSession('w', { title: 'Given' });
  const other = await manager.createSession('w', { title: 'Other' });
  await services.names.settled;
  await session.change({ title: '' }, null);
  await manager.close();
  await services.catalog.close();
  rmSync(join(box.stateDir, 'catalog.sqlite'));
  await start();
  namedByCodex(other.id, 'Later');
  const titleOf = ({ id }: { id: string }) => manager.sessions('w').find((one) => one.id === id)?.title;
  await expect.poll(() => titleOf(other)).toBe('Later');
  expect(titleOf(session)).toBe(null);
});
