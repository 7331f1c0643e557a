import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { textOf } from '../base/response-items.ts';
import { calls, type ScriptedAnswer, ScriptedModel, says } from '../model/scripted-model.ts';
import { SessionStore } from './session-store.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

let box: TestBox;
beforeEach(async () => {
  box = await openTestBox();
});
afterEach(async () => {
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function open(...answers: ScriptedAnswer[]) {
  const id = await box.create();
  const model = new ScriptedModel(...answers);
  const session = await box.load(id, model);
  return { id, model, session, watcher: new Watcher(session) };
}

/** What a request says of permissions, in order: how the last words of each begin. */
function said(model: ScriptedModel, n: number): string[] {
  return (model.requests[n]?.input ?? []).flatMap((item) => {
    if (item.type !== 'message' || item.role !== 'developer') return [];
    return /<permissions instructions>\n(\w+ \w+)/.exec(textOf(item))?.[1] ?? [];
  });
}

test('a change is told to the model where it happens, once, and what was sent before stays', async () => {
  const { id, model, session, watcher } = await open(says('one'), says('two'), says('three'));
  const turn = async (n: number) => {
    await session.submit(message(`turn ${n}`), null);
    await watcher.until((s) => model.requests.length === n && s.turn === null);
  };
  await turn(1);
  await session.change({ approval: 'never' }, 'Ada');
  expect(watcher.state).toMatchObject({ approvalPolicy: 'never' });
  expect(watcher.state?.items.at(-1)).toMatchObject({
    ...{ type: 'notice', code: 'session.permissions' },
    text: 'Ada set what commands may do: sandbox workspace-write, approvals never, network off.',
    details: { by: 'Ada', approval: 'never' },
  });
  await turn(2);
  await turn(3);
  const [first, , third] = model.requests.map(({ input }) => input);
  expect(said(model, 0)).toEqual(['Nothing on']);
  expect(said(model, 2)).toEqual(['Nothing on', 'Commands and']);
  expect(third?.slice(0, first?.length)).toEqual(first);
  await session.unload('shutdown');

  const again = new ScriptedModel(says('four'));
  const reloaded = await box.load(id, again);
  const viewer = new Watcher(reloaded);
  await reloaded.submit(message('go on'), null);
  await viewer.until((s) => again.requests.length === 1 && s.turn === null);
  // the file has told it all: not a word of what was sent is another now
  expect(again.requests[0]?.input.slice(0, third?.length)).toEqual(third);
  expect(said(again, 0)).toEqual(['Nothing on', 'Commands and']);
  await reloaded.unload('shutdown');
});

test('a change holds from the next command of the running turn on', async () => {
  const { model, session, watcher } = await open(async function* (...args: Parameters<ScriptedAnswer>) {
    await session.change({ approval: 'never' }, null);
    yield* says('', calls('exec_command', { cmd: 'touch made' }))(...args);
  }, says('done'));
  await session.submit(message('go'), null);
  const state = await watcher.until((s) => model.requests.length === 2 && s.turn === null);
  expect(state.items).toContainEqual(
    expect.objectContaining({ type: 'commandExecution', status: 'declined' }),
  );
  expect(said(model, 1)).toEqual(['Nothing on', 'Commands and']);
  await session.unload('shutdown');
});

test('a change that could not be saved changes nothing, nor what another one has set meanwhile', async () => {
  const { session, watcher } = await open();
  const save = vi.spyOn(SessionStore.prototype, 'update');
  save.mockRejectedValueOnce(new Error('no space left'));
  const refused = session.change({ approval: 'never' }, 'Ada');
  const saved = session.change({ sandbox: 'read-only' }, 'Mei');
  await expect(refused).rejects.toThrow('no space left');
  await saved;
  save.mockRestore();
  expect(watcher.state).toMatchObject({ approvalPolicy: 'on-request', sandboxMode: 'read-only' });
  await session.unload('shutdown');
});

test('what a page may not set changes nothing', async () => {
  const { session, watcher } = await open();
  const both = { sandbox: 'danger-full-access', approval: 'never' } as const;
  await expect(session.change({ title: 'New', ...both }, 'Ada')).rejects.toMatchObject({
    code: 'permissions.unattended',
  });
  expect(watcher.state).toMatchObject({ title: null, approvalPolicy: 'on-request', items: [] });
  await session.unload('shutdown');
});

test('what was set is taken back for good: the next load finds nothing set', async () => {
  const { id, session, watcher } = await open();
  await session.change({ sandbox: 'read-only', network: true }, 'Ada');
  await session.change({ sandbox: null, network: null }, 'Bo');
  expect(watcher.state).toMatchObject({
    ...{ sandboxMode: 'workspace-write', networkAccess: false, ownPermissions: {} },
  });
  await session.unload('shutdown');
  const viewer = new Watcher(await box.load(id, new ScriptedModel()));
  expect(viewer.state).toMatchObject({ sandboxMode: 'workspace-write', ownPermissions: {} });
});
