/** What people type to a session about itself: its model, its directory, what was said in it. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Notice } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textOf } from '../base/response-items.ts';
import { calls, hangsAfter, ScriptedModel, says } from '../model/scripted-model.ts';
import type { SessionRuntime } from './runtime.ts';
import { SessionStore } from './session-store.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

let box: TestBox;
beforeEach(async () => {
  box = await openTestBox({
    permissions: { sandbox: 'danger-full-access', approval: 'never', network: true },
    unattended: true,
  });
});
afterEach(async () => {
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function open(model: ScriptedModel, name = 'gpt-5.5', id?: string) {
  const session = await box.load(id ?? (await box.create(name)), model);
  return { session, watcher: new Watcher(session) };
}

/** The notice that a command has brought. */
async function typed(session: SessionRuntime, watcher: Watcher, text: string): Promise<Notice> {
  const known = new Set(watcher.state?.items.map(({ id }) => id));
  await session.submit(message(text), 'Ada');
  const isNew = (item: { id: string; type: string }) => item.type === 'notice' && !known.has(item.id);
  const { items } = await watcher.until((state) => state.items.some(isNew));
  return items.find(isNew) as Notice;
}

test('/model takes an effort that the model knows, and no other', async () => {
  const model = new ScriptedModel(says('One.'), says('Two.'));
  const { session, watcher } = await open(model);
  const refused = await typed(session, watcher, '/model gpt-5.5 enormous');
  expect(refused).toMatchObject({ level: 'error', code: 'model.effort' });
  expect(refused.text).toMatch(/^gpt-5\.5 takes no effort "enormous": it takes low, medium, high/);
  expect(watcher.state).toMatchObject({ model: 'gpt-5.5', effort: null });
  expect(await typed(session, watcher, '/model gpt-5.5 high')).toMatchObject({
    ...{ text: 'Switched to gpt-5.5, effort high.', details: { model: 'gpt-5.5', effort: 'high' } },
  });
  await session.submit(message('go'), null);
  await watcher.idle();
  expect(model.requests.at(-1)?.effort).toBe('high');
  expect((await typed(session, watcher, '/model')).text).toMatch(
    /^Current model: gpt-5\.5 · high\nEfforts: low, medium, high/,
  );
  // nothing is known of this one: what is set stays
  await typed(session, watcher, '/model somebody-elses');
  expect(watcher.state).toMatchObject({ model: 'somebody-elses', effort: 'high' });
  await typed(session, watcher, '/model somebody-elses colossal');
  expect(watcher.state).toMatchObject({ effort: 'colossal' });
  // of this one it is, and it does not take that
  await session.change({ model: 'gpt-5.5' }, null);
  expect(watcher.state).toMatchObject({ model: 'gpt-5.5', effort: null });
  await session.change({ effort: 'low' }, null);
  await session.change({ effort: '' }, null);
  expect(watcher.state).toMatchObject({ effort: null });
  await session.submit(message('go on'), null);
  await watcher.idle();
  expect(model.requests.at(-1)?.effort).not.toBe('low');
  await session.unload('shutdown');
});

test('/cd: the next command starts there, the model is told, and it lasts', async () => {
  const sub = join(box.workDir, 'sub');
  await mkdir(sub);
  const model = new ScriptedModel(
    says('One.'),
    says('', calls('exec_command', { cmd: 'pwd' })),
    says('Two.'),
  );
  const { session, watcher } = await open(model, 'scripted-1');
  expect(await typed(session, watcher, '/cd')).toMatchObject({ text: `Commands start in ${box.workDir}.` });
  await session.submit(message('go'), null);
  await watcher.idle();
  const told = await typed(session, watcher, `/cd ${sub}`);
  expect(told).toMatchObject({ code: 'session.cwd', details: { by: 'Ada', cwd: sub } });
  expect(watcher.state?.cwd).toBe(sub);
  await session.submit(message('where?'), null);
  const { items } = await watcher.until((state) =>
    state.items.some((item) => item.type === 'commandExecution' && item.status === 'completed'),
  );
  await watcher.idle();
  expect(items.findLast((item) => item.type === 'commandExecution')).toMatchObject({
    cwd: sub,
    output: `${sub}\n`,
  });
  const contexts = (model.requests.at(-1)?.input ?? []).flatMap((item) =>
    item.type === 'message' && textOf(item).startsWith('<environment_context') ? [textOf(item)] : [],
  );
  expect(contexts).toHaveLength(2);
  expect(contexts[1]).toContain(`<cwd>${sub}</cwd>`);
  await session.unload('shutdown');
  const again = await open(new ScriptedModel(), 'scripted-1', session.id);
  expect(again.watcher.state?.cwd).toBe(sub);
  await again.session.unload('shutdown');
});

test('a model that cannot be saved is not gone on with', async () => {
  const model = new ScriptedModel(says('One.'), says('Two.'));
  const { session, watcher } = await open(model);
  await session.change({ model: 'first', effort: 'low' }, null);
  const update = vi.spyOn(SessionStore.prototype, 'update').mockRejectedValueOnce(new Error('full'));
  await expect(session.change({ model: 'second', effort: 'high' }, null)).rejects.toThrow('full');
  update.mockRestore();
  expect(watcher.state).toMatchObject({ model: 'first', effort: 'low' });
  await session.submit(message('go'), null);
  await watcher.idle();
  expect(model.requests.at(-1)).toMatchObject({ model: 'first', effort: 'low' });
  await session.unload('shutdown');
});

test('neither model nor directory change while a turn runs', async () => {
  const { session, watcher } = await open(new ScriptedModel(hangsAfter('busy')));
  await session.submit(message('go'), null);
  await watcher.until((state) => state.items.some((item) => item.type === 'agentMessage'));
  await expect(session.change({ cwd: '/elsewhere', title: 'New' }, null)).rejects.toMatchObject({
    code: 'session.cwd-busy',
  });
  await expect(session.change({ effort: 'low', title: 'New' }, null)).rejects.toMatchObject({
    code: 'session.busy',
  });
  expect(watcher.state).toMatchObject({ cwd: box.workDir, effort: null });
  expect(watcher.state?.title).not.toBe('New');
  // where it is already it stays
  await session.change({ cwd: box.workDir }, null);
  await session.unload('shutdown');
});

test('/history goes back to the first message, however far that is', async () => {
  const answers = Array.from({ length: 3 }, (_, n) => says(`answer ${n}`));
  const { session, watcher } = await open(new ScriptedModel(...answers));
  expect(await typed(session, watcher, '/history')).toMatchObject({ text: 'No history yet.' });
  for (const text of ['first', 'second\nline', `third ${'long '.repeat(100)}`]) {
    await session.submit(message(text), null);
    await watcher.idle();
  }
  // more than memory holds
  const known = watcher.events.length;
  for (let n = 0; n < 101; n++) await session.submit(message('/title x'), null);
  const told = () =>
    watcher.events
      .slice(known)
      .filter((event) => event.type === 'item.completed' && event.item.type === 'notice');
  await watcher.until(() => told().length === 101);
  expect(watcher.state?.older).not.toBe(null);
  const lines = (await typed(session, watcher, '/history')).text.split('\n');
  expect(lines.slice(0, 4)).toEqual(['U> first', 'A> answer 0', 'U> second line', 'A> answer 1']);
  expect(lines).toHaveLength(6);
  expect(lines[4]?.length).toBeLessThan(90);
  expect((await typed(session, watcher, '/history 2')).text).toMatch(
    /^… older messages are left out\nU> third long .*…\nA> answer 2$/,
  );
  expect(await typed(session, watcher, '/history all')).toMatchObject({
    level: 'error',
    code: 'command.usage',
  });
  await session.unload('shutdown');
});

test('/export names the download, /title cuts what is too long', async () => {
  const { session, watcher } = await open(new ScriptedModel());
  expect(await typed(session, watcher, '/export')).toMatchObject({
    details: { exportPath: `api/sessions/${session.id}/export?format=markdown`, format: 'markdown' },
  });
  expect(await typed(session, watcher, '/export json')).toMatchObject({ details: { format: 'json' } });
  expect(await typed(session, watcher, '/export pdf')).toMatchObject({
    level: 'error',
    code: 'command.usage',
  });
  await typed(session, watcher, `/title ${'a b\n'.repeat(2_500)}`);
  expect(watcher.state?.title?.length).toBeLessThanOrEqual(200);
  expect(watcher.state?.title).toMatch(/^a b a b .*…$/);
  await session.unload('shutdown');
});

test('what a session can go on with: its own model, then the listed ones, each with its efforts', async () => {
  const model = new ScriptedModel();
  model.listModels = async () => ['gpt-5.5', 'somebody-elses'];
  const { session } = await open(model);
  expect(await session.models()).toEqual([
    { id: 'gpt-5.5', efforts: expect.arrayContaining(['low', 'medium', 'high']) },
    { id: 'somebody-elses', efforts: null },
  ]);
  model.listModels = async () => {
    throw new Error('it lists none');
  };
  expect((await session.models()).map(({ id }) => id)).toEqual(['gpt-5.5']);
  await session.unload('shutdown');
});
