/** What happens when the disk refuses, people are quick, or something vanishes in between. */
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../base/errors.ts';
import {
  calls,
  callsCustom,
  hangsAfter,
  type ScriptedAnswer,
  ScriptedModel,
  says,
} from '../model/scripted-model.ts';
import { RolloutWriter } from '../session/rollout.ts';
import { SessionStore } from './session-store.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

const FULL_ACCESS = {
  permissions: { approval: 'never', sandbox: 'danger-full-access', network: true },
  unattended: true,
} as const;
const refused = () => Promise.reject(new Failure('unavailable', 'file.write', 'cannot write: no space left'));

let box: TestBox;
beforeEach(async () => {
  box = await openTestBox(FULL_ACCESS);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await box.remove();
});

async function open(...answers: ScriptedAnswer[]) {
  const id = await box.create();
  const model = new ScriptedModel(...answers);
  const session = await box.load(id, model);
  return { id, model, session, watcher: new Watcher(session) };
}

const userTexts = (model: ScriptedModel, n: number) =>
  model.requests[n]?.input
    .flatMap((item) => (item.type === 'message' && item.role === 'user' ? item.content : []))
    .map((part) => ('text' in part ? part.text : ''))
    .slice(1);
const codes = (items: readonly Item[]) =>
  items.flatMap((item) => (item.type === 'notice' ? [item.code] : []));

test('a command whose output could not be recorded does not run again with the next message', async () => {
  const { id, model, session, watcher } = await open(
    says('', calls('exec_command', { cmd: 'echo run >> log' })),
  );
  const record = vi.spyOn(RolloutWriter.prototype, 'recordItems');
  // the context, then the call
  for (let n = 0; n < 2; n++) record.mockImplementationOnce(async () => undefined);
  record.mockImplementationOnce(refused);
  await session.submit(message('run it'), null);
  const failed = await watcher.idle();
  expect(codes(failed.items)).toEqual(['file.write']);
  record.mockRestore();
  await session.submit(message('and now?'), null);
  await watcher.until((s) => model.requests.length === 2 && s.turn === null);
  expect(await readFile(join(box.workDir, 'log'), 'utf8')).toBe('run\n');
  await session.unload('shutdown');
  // nor when the session is loaded anew
  const next = new ScriptedModel(says('fine'));
  const again = await box.load(id, next);
  const second = new Watcher(again);
  await again.submit(message('still there?'), null);
  await second.until((s) => next.requests.length === 1 && s.turn === null);
  expect(await readFile(join(box.workDir, 'log'), 'utf8')).toBe('run\n');
  await again.unload('shutdown');
});

test('a file that is deleted while its session is open loses nothing, of what was said before and since', async () => {
  const { id, session, watcher } = await open(says('One.'), says('Two.'));
  await session.submit(message('first'), null);
  await watcher.idle();
  await rm(await session.recorded());
  await session.submit(message('second'), null);
  const before = await watcher.until((s) => s.turn === null && s.items.length === 4);
  await session.unload('shutdown');
  const model = new ScriptedModel(says('Three.'));
  const again = await box.load(id, model);
  expect(again.snapshot().state.items).toEqual(before.items);
  const after = new Watcher(again);
  await again.submit(message('third'), null);
  await after.until((s) => model.requests.length === 1 && s.turn === null);
  expect(userTexts(model, 0)).toEqual(['first', 'second', 'third']);
});

test('a turn whose end only the database kept does not begin again', async () => {
  const { id, session, watcher } = await open(says('Done.'));
  vi.spyOn(RolloutWriter.prototype, 'turnEnded').mockImplementation(refused);
  await session.submit(message('hello'), null);
  await watcher.idle();
  await session.unload('shutdown');
  vi.restoreAllMocks();
  const model = new ScriptedModel();
  const again = await box.load(id, model);
  expect(again.snapshot().state).toMatchObject({ status: 'idle', canContinue: true });
  expect(model.requests).toEqual([]);
  await again.unload('shutdown');
});

test('a stop right after the message stops it', async () => {
  const { model, session, watcher } = await open(says('never asked for'));
  await session.submit(message('hello'), null);
  await session.interrupt(null);
  const state = await watcher.idle();
  expect(codes(state.items)).toEqual(['turn.stopped']);
  expect(state.items[0]).toMatchObject({ type: 'userMessage', text: 'hello' });
  expect(model.requests).toEqual([]);
  await session.unload('shutdown');
});

test('a title that cannot be saved does not take the message from the model', async () => {
  const { model, session, watcher } = await open(says('Answered.'));
  const update = vi.spyOn(SessionStore.prototype, 'update');
  const original = update.getMockImplementation();
  update.mockImplementation(function (this: SessionStore, patch) {
    return 'title' in patch ? refused() : (original ?? Promise.resolve.bind(Promise))(patch as never);
  });
  await session.submit(message('the task'), null);
  await watcher.until((s) => model.requests.length === 1 && s.turn === null);
  expect(userTexts(model, 0)).toEqual(['the task']);
  update.mockRestore();
  await session.unload('shutdown');
});

test('an edit that comes too late says so', async () => {
  const { session, watcher } = await open(hangsAfter('busy'), says('next'));
  await session.submit(message('start'), null);
  await watcher.until((s) => s.items.some((i) => i.type === 'agentMessage'));
  const queued = message('old words', 'queue');
  await session.submit(queued, null);
  const save = vi.spyOn(SessionStore.prototype, 'saveWaiting').mockImplementation(async () => {
    await session.interrupt(null);
    await watcher.until((s) => s.waiting.length === 0);
  });
  await expect(session.changeInput(queued.id, { text: 'new words' }, null)).rejects.toMatchObject({
    code: 'input.gone',
  });
  save.mockRestore();
  await session.unload('shutdown');
});

test('an ask whose call has failed meanwhile is withdrawn', async () => {
  await box.remove();
  box = await openTestBox();
  await writeFile(join(box.workDir, 'a.txt'), 'one\n');
  const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch';
  const { id, session, watcher } = await open(says('', callsCustom('apply_patch', patch)));
  await session.submit(message('edit'), null);
  const { asks } = await watcher.until((s) => s.asks.length > 0);
  await session.unload('shutdown');
  await writeFile(join(box.workDir, 'a.txt'), 'something else\n');
  const model = new ScriptedModel(says('It changed under me.'));
  const again = await box.load(id, model);
  const second = new Watcher(again);
  const state = await second.until((s) => model.requests.length === 1 && s.turn === null);
  expect(state.asks).toEqual([]);
  await expect(again.answer(asks[0]?.id ?? '', { choice: 'once' }, null)).rejects.toMatchObject({
    code: 'ask.ended',
    details: { outcome: 'withdrawn' },
  });
  await again.unload('shutdown');
});

test('changing the effort keeps the model, and the other way round', async () => {
  const { model, session, watcher } = await open(says('one'), says('two'));
  await session.change({ effort: 'high' }, null);
  await session.submit(message('a'), null);
  await watcher.until((s) => model.requests.length === 1 && s.turn === null);
  await session.change({ model: 'scripted-2' }, null);
  await session.submit(message('b'), null);
  await watcher.until((s) => model.requests.length === 2 && s.turn === null);
  expect(model.requests.map(({ model: name, effort }) => [name, effort])).toEqual([
    ['scripted-1', 'high'],
    ['scripted-2', 'high'],
  ]);
  await session.unload('shutdown');
});

test('/stop stops also when the disk is full and another command hangs', async () => {
  const { model, session, watcher } = await open(hangsAfter('busy'));
  model.listModels = (signal?: AbortSignal) =>
    new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  await session.submit(message('start'), null);
  await watcher.until((s) => s.items.some((i) => i.type === 'agentMessage'));
  vi.spyOn(RolloutWriter.prototype, 'recordItem').mockImplementation(refused);
  await session.submit(message('/model'), null);
  await session.submit(message('/stop'), null);
  await watcher.until((s) => s.turn === null);
  vi.restoreAllMocks();
  // nor does the command that hangs keep the server from stopping
  await session.unload('shutdown');
});

test('only so many messages wait', async () => {
  const { session, watcher } = await open(hangsAfter('busy'));
  await session.submit(message('start'), null);
  await watcher.until((s) => s.items.some((i) => i.type === 'agentMessage'));
  for (let i = 0; i < 100; i++) await session.submit(message(`${i}`, 'queue'), null);
  await expect(session.submit(message('one more', 'queue'), null)).rejects.toMatchObject({
    kind: 'tooMany',
    code: 'input.queue-full',
  });
  await session.submit(message('/title still works'), null);
  await watcher.until((s) => s.title === 'still works');
  await session.unload('shutdown');
});

test('a turn that took the server down before it had taken anything does not do so for ever', async () => {
  const id = await box.create();
  const store = new SessionStore(box.db, id);
  const died = () => store.update({ turnId: '01a00000-0000-7000-8000-00000000000a' });
  const load = async (model = new ScriptedModel()) => {
    const session = await box.load(id, model);
    const { status } = session.snapshot().state;
    await session.unload('shutdown');
    return status;
  };
  await died();
  expect(await load()).toBe('idle');
  // counted once, however often it is loaded
  expect(await load()).toBe('idle');
  const waits = { ...message('look'), attachments: [], author: null, at: new Date().toISOString() };
  await store.insertInput(waits);
  await died();
  const model = new ScriptedModel(says('never'));
  expect([await load(model), await load(model)]).toEqual(['paused', 'paused']);
  expect(model.requests).toEqual([]);
  expect(store.inputs()).toMatchObject([{ state: 'waiting' }]);
});

test('a turn that another program left open in the file is not ours to go on with', async () => {
  const { id, session, watcher } = await open(says('Done.'));
  await session.submit(message('hello'), null);
  await watcher.idle();
  await session.unload('shutdown');
  const [row] = box.db.read<{ rollout_path: string }>('SELECT rollout_path FROM sessions WHERE id = ?', id);
  const payload = { type: 'task_started', turn_id: '01a00000-0000-7000-8000-00000000000a' };
  const record = { timestamp: '2026-01-02T03:04:05.000Z', type: 'event_msg', payload };
  await appendFile(row?.rollout_path ?? '', `${JSON.stringify(record)}\n`);
  const model = new ScriptedModel();
  const again = await box.load(id, model);
  expect(again.snapshot().state).toMatchObject({ status: 'idle', canContinue: true });
  expect(model.requests).toEqual([]);
  await again.unload('shutdown');
});
