import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../../base/errors.ts';
import { textOf } from '../../base/response-items.ts';
import { calls, hangsAfter, type ScriptedAnswer, ScriptedModel, says } from '../../model/scripted-model.ts';
import { RolloutWriter } from '../../session/rollout.ts';
import { findSession, hasUnfinished } from '../session-rows.ts';
import { SessionStore } from '../session-store.ts';
import { message, openTestBox, type TestBox, Watcher } from '../test-session.ts';

const FULL_ACCESS = {
  permissions: { approval: 'never', sandbox: 'danger-full-access', network: true },
  unattended: true,
} as const;

let box: TestBox;
beforeEach(async () => {
  box = await openTestBox(FULL_ACCESS);
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function open(...answers: ScriptedAnswer[]) {
  const id = await box.create();
  const model = new ScriptedModel(...answers);
  const session = await box.load(id, model);
  return { id, model, session, watcher: new Watcher(session) };
}

/** A command that ends once the file is there. */
const waitsFor = (file: string) =>
  calls('exec_command', {
    cmd: `until [ -e ${file} ]; do sleep 0.05; done; echo saw ${file}; exit 3`,
    yield_time_ms: 250,
  });
const make = (file: string) => writeFile(join(box.workDir, file), '');
const notices = (items: readonly Item[]) =>
  items.flatMap((item) => (item.type === 'notice' ? [item.code] : []));
/** What the model was told in the user's role since the context. */
const told = (model: ScriptedModel, n: number) =>
  (model.requests[n]?.input ?? [])
    .flatMap((item) => (item.type === 'message' && item.role === 'user' ? [textOf(item)] : []))
    .slice(1)
    .map((text) => /^<\w+>/.exec(text)?.[0] ?? text);

test('the end of a command that was left running wakes the idle agent', async () => {
  const { model, session, watcher } = await open(
    says('', waitsFor('go')),
    says('It runs.'),
    says('It is done.'),
  );
  await session.submit(message('run it'), null);
  const sleeping = await watcher.until(({ status }) => status === 'sleeping');
  expect(sleeping.background).toHaveLength(1);
  await make('go');
  const state = await watcher.until(({ items, status }) => status === 'idle' && notices(items).length > 0);
  expect(told(model, 2)).toEqual(['run it', '<exec_command_completed>']);
  const last = model.requests[2]?.input.at(-1);
  expect(last?.type === 'message' && textOf(last)).toMatch(/"exit_code":3,"command":"until/);
  expect(state.items.map(({ type }) => type)).toEqual([
    ...['userMessage', 'commandExecution', 'agentMessage', 'notice', 'agentMessage'],
  ]);
  expect(state.items[3]).toMatchObject({ level: 'info', code: 'wake.command', details: { exitCode: 3 } });
  expect(state.title).toBe('run it');
  await session.unload('shutdown');
});

test('ends that come while the agent works are told after the turn, together, with what people have queued', async () => {
  const { model, session, watcher } = await open(
    says('', waitsFor('one'), waitsFor('two')),
    says('They run.'),
    hangsAfter('Thinking'),
    says('Seen.'),
  );
  await session.submit(message('run them'), null);
  await watcher.until(({ status, background }) => status === 'sleeping' && background.length === 2);
  await session.submit(message('think'), null);
  await watcher.until(({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text === 'Thinking'),
  );
  await Promise.all([make('one'), make('two')]);
  await watcher.until(({ background }) => background.length === 0);
  expect(model.requests).toHaveLength(3);
  await session.submit(message('next', 'queue'), null);
  await session.interrupt(null);
  await watcher.until(({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text === 'Seen.'),
  );
  const { items } = await watcher.idle();
  expect(told(model, 3)).toEqual(['run them', 'think', '<turn_aborted>', '<exec_command_completed>', 'next']);
  expect(notices(items)).toEqual(['turn.stopped', 'wakes.held', 'wake.command', 'wake.command']);
  expect(model.requests).toHaveLength(4);
  await session.unload('shutdown');
});

test('an end that the agent has read itself wakes nobody, nor does one that a person has brought about', async () => {
  const go = waitsFor('go');
  const { model, session, watcher } = await open(
    says('', go, waitsFor('never')),
    async function* (request, signal) {
      await make('go');
      // both run at once: either may have answered first
      const report = request.input.find(
        (item) => 'output' in item && 'call_id' in go && item.call_id === go.call_id,
      );
      const session_id = Number(/session ID (\d+)/.exec(JSON.stringify(report))?.[1]);
      yield* says('', calls('write_stdin', { session_id, yield_time_ms: 300_000 }))(request, signal);
    },
    says('It is done.'),
  );
  await session.submit(message('run them'), null);
  const { background } = await watcher.until(({ status }) => status === 'sleeping');
  expect(background).toHaveLength(1);
  await session.stopCommand(background[0]?.processId ?? '', 'Mei');
  const { items } = await watcher.until(({ status }) => status === 'idle');
  expect(notices(items).filter((code) => code.startsWith('wake'))).toEqual([]);
  expect(model.requests).toHaveLength(3);
  await session.unload('shutdown');
});

test('a wake whose turn a restart has cut is in the conversation, and is not told again', async () => {
  const { id, session, watcher } = await open(
    says('', waitsFor('go')),
    says('It runs.'),
    hangsAfter('Looking'),
  );
  await session.submit(message('run it'), null);
  await watcher.until(({ status }) => status === 'sleeping');
  await make('go');
  await watcher.until(({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text === 'Looking'),
  );
  await session.unload('shutdown');

  const model = new ScriptedModel(says('Going on.'));
  const again = await box.load(id, model);
  const state = again.snapshot().state;
  expect(state).toMatchObject({ status: 'idle', canContinue: true, background: [] });
  expect(notices(state.items)).toEqual(['wake.command', 'turn.interrupted']);
  const seen = new Watcher(again);
  await again.submit(message('go on'), null);
  await seen.idle();
  expect(told(model, 0)).toEqual(['run it', '<exec_command_completed>', '<turn_aborted>', 'go on']);
  await again.unload('shutdown');
});

test('a command that a restart has ended wakes the agent that slept over it, once', async () => {
  const { id, session, watcher } = await open(says('', waitsFor('never')), says('It runs.'));
  await session.submit(message('run it'), null);
  await watcher.until(({ status }) => status === 'sleeping');
  await vi.waitFor(() => expect(hasUnfinished(box.db, id)).toBe(true));
  await session.unload('shutdown');

  const model = new ScriptedModel(says('I start it again.'));
  const again = await box.load(id, model);
  const { items } = await new Watcher(again).until(
    ({ status, items }) => status === 'idle' && notices(items).length === 1,
  );
  expect(items).toContainEqual(
    expect.objectContaining({
      code: 'wake.command',
      text: expect.stringMatching(/` failed: a restart of the server has ended it$/),
    }),
  );
  expect(told(model, 0)).toEqual(['run it', '<exec_command_completed>']);
  await vi.waitFor(() => expect(hasUnfinished(box.db, id)).toBe(false));
  await again.unload('shutdown');
  const silent = new ScriptedModel();
  await (await box.load(id, silent)).unload('shutdown');
  expect(silent.requests).toHaveLength(0);
});

test('an end that was not told before a restart cut the turn is told with what a person says next', async () => {
  const { id, session, watcher } = await open(
    says('', waitsFor('go')),
    says('It runs.'),
    hangsAfter('Thinking'),
  );
  await session.submit(message('run it'), null);
  await watcher.until(({ status }) => status === 'sleeping');
  await session.submit(message('think'), null);
  await watcher.until(({ items }) =>
    items.some((item) => item.type === 'agentMessage' && item.text === 'Thinking'),
  );
  await make('go');
  await watcher.until(({ background }) => background.length === 0);
  const saved = () => findSession(box.db, id)?.wakes?.commands[0]?.exit?.exitCode;
  await vi.waitFor(() => expect(saved()).toBe(3));
  await session.unload('shutdown');

  const model = new ScriptedModel(says('Going on.'));
  const again = await box.load(id, model);
  expect(again.snapshot().state).toMatchObject({ status: 'idle', canContinue: true });
  const seen = new Watcher(again);
  await again.submit(message('go on'), null);
  await seen.idle();
  expect(told(model, 0).slice(-2)).toEqual(['<exec_command_completed>', 'go on']);
  await again.unload('shutdown');
});

test('a stop holds the clock and all wakes, over a restart, until somebody writes', async () => {
  const { id, session, watcher, model } = await open(
    says('', waitsFor('go'), calls('clock', { period_m: 60 })),
    says('It runs.'),
  );
  await session.submit(message('run it'), null);
  await watcher.until(({ status, clock }) => status === 'sleeping' && clock?.nextAt !== null);
  await session.interrupt('Mei');
  const held = await watcher.until(({ held }) => held);
  expect(held.clock).toEqual({ periodMinutes: 60, nextAt: null });
  await make('go');
  const ended = await watcher.until(({ background }) => background.length === 0);
  expect(notices(ended.items)).toEqual(['wakes.held']);
  await vi.waitFor(() => expect(findSession(box.db, id)?.wakes).toMatchObject({ held: true }));
  await session.unload('shutdown');
  expect(model.requests).toHaveLength(2);

  const next = new ScriptedModel(says('Yes.'));
  const again = await box.load(id, next);
  const seen = new Watcher(again);
  expect(again.snapshot().state).toMatchObject({ status: 'idle', held: true, clock: { nextAt: null } });
  await again.submit(message('are you there?'), null);
  const state = await seen.until(({ held, clock }) => !held && clock?.nextAt !== null);
  expect(state.status).toBe('sleeping');
  expect(told(next, 0)).toEqual(['run it', '<exec_command_completed>', 'are you there?']);
  await again.unload('shutdown');
});

test('an agent that is woken again and again without a word from anybody is held at last', async () => {
  const { id, session, watcher } = await open(says('', calls('clock', { period_m: 0.1 })), says('Set.'));
  await session.submit(message('look'), null);
  await watcher.until(({ status }) => status === 'sleeping');
  await session.unload('shutdown');
  const clock = { periodMinutes: 0.1, nextAt: '2020-01-01T00:00:00.000Z' };
  await new SessionStore(box.db, id).update({ clock, wakes: { commands: [], held: false, inRow: 99 } });

  const again = await box.load(id, new ScriptedModel(says('Nothing new.')));
  const { items, status } = await new Watcher(again).until(({ held, status }) => held && status === 'idle');
  expect(notices(items)).toEqual(['wake.clock', 'wakes.exhausted']);
  expect(status).toBe('idle');
  await again.unload('shutdown');
});

test('a wake that the disk refuses waits until somebody resumes, and is told once', async () => {
  const { model, session, watcher } = await open(
    says('', waitsFor('go')),
    says('It runs.'),
    says('It is done.'),
  );
  await session.submit(message('run it'), null);
  await watcher.until(({ status }) => status === 'sleeping');
  const full = new Failure('unavailable', 'file.write', 'cannot write: no space left');
  vi.spyOn(RolloutWriter.prototype, 'recordInputs').mockRejectedValueOnce(full);
  await make('go');
  const paused = await watcher.until(({ status }) => status === 'paused');
  expect(notices(paused.items)).toEqual(['file.write', 'session.paused']);
  await session.resume('Mei');
  const { items } = await watcher.until(
    ({ status, turn, items }) =>
      status === 'idle' && turn === null && notices(items).includes('wake.command'),
  );
  expect(notices(items)).toEqual(['file.write', 'session.paused', 'session.resumed', 'wake.command']);
  expect(told(model, 2)).toEqual(['run it', '<exec_command_completed>']);
  expect(model.requests).toHaveLength(3);
  await session.unload('shutdown');
});

test('the agent sets a clock, which is kept over a restart, rings there, and ends with the session', async () => {
  const { id, session, watcher } = await open(
    says('', calls('clock', { period_m: 60 })),
    says('I will look.'),
  );
  await session.submit(message('look after it'), null);
  const sleeping = await watcher.until(({ status }) => status === 'sleeping');
  expect(sleeping.clock).toEqual({ periodMinutes: 60, nextAt: expect.any(String) });
  await session.unload('shutdown');
  const clock = { periodMinutes: 60, nextAt: '2020-01-01T00:00:00.000Z' };
  await new SessionStore(box.db, id).update({ clock });

  const model = new ScriptedModel(says('All is well.'));
  const again = await box.load(id, model);
  const seen = new Watcher(again);
  const state = await seen.until(({ items, status }) => status === 'sleeping' && notices(items).length === 1);
  expect(told(model, 0)).toEqual(['look after it', '<clock_tick>']);
  expect(notices(state.items)).toEqual(['wake.clock']);
  expect(Date.parse(state.clock?.nextAt ?? '')).toBeGreaterThan(Date.now());

  await again.stopClock('Mei');
  const stopped = await seen.until(({ status }) => status === 'idle');
  expect(stopped.clock).toBeNull();
  expect(notices(stopped.items)).toEqual(['wake.clock', 'clock.stopped']);
  await again.stopClock('Mei');
  await again.unload('shutdown');
  expect((await box.load(id, new ScriptedModel())).snapshot().state.clock).toBeNull();
});
