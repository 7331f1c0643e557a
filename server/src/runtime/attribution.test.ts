/** Who did what is in the conversation, and still there when the session is loaded again. */
import type { Item } from '@tscodex/shared/items';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Failure } from '../base/errors.ts';
import { calls, hangsAfter, type ScriptedAnswer, ScriptedModel, says } from '../model/scripted-model.ts';
import { RolloutWriter } from '../session/rollout.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

let box: TestBox;
beforeEach(async () => {
  box = await openTestBox();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await box.remove();
});

async function open(...answers: ScriptedAnswer[]) {
  const id = await box.create();
  const session = await box.load(id, new ScriptedModel(...answers));
  return { id, session, watcher: new Watcher(session) };
}

/** What was done, and by whom. */
const doneBy = (items: readonly Item[]) =>
  items.flatMap((item) => {
    if (item.type === 'userMessage') return [`${item.text}: ${item.author}`];
    if (item.type === 'notice') return [item.text];
    const { decision } = item as { decision?: { choice?: string; outcome: string; by: string | null } };
    return decision ? [`${decision.choice ?? decision.outcome}: ${decision.by}`] : [];
  });

test('two people write, answer, decide and stop', async () => {
  const questions = [{ id: 'q', header: 'Name', question: 'Which?', options: [] }];
  const { id, session, watcher } = await open(
    says('', calls('request_user_input', { questions })),
    says('', calls('exec_command', { cmd: 'true' })),
    hangsAfter('Busy.'),
  );
  await session.submit(message('begin'), 'Ada');
  const asked = await watcher.until((s) => s.asks[0]?.kind === 'question');
  await session.answer(asked.asks[0]?.id ?? '', { answers: { q: ['this one'] } }, 'Grace');
  const asking = await watcher.until((s) => s.asks[0]?.kind === 'approval');
  await session.answer(asking.asks[0]?.id ?? '', { choice: 'once' }, 'Ada');
  await watcher.until((s) => s.items.some((item) => item.type === 'agentMessage' && item.text === 'Busy.'));
  await session.interrupt('Grace');
  const { items } = await watcher.idle();
  const expected = ['begin: Ada', 'answered: Grace', 'once: Ada', 'Stopped by Grace.'];
  expect(doneBy(items)).toEqual(expected);
  await session.unload('shutdown');

  const again = await box.load(id, new ScriptedModel());
  expect(doneBy(again.snapshot().state.items)).toEqual(expected);
  await again.unload('shutdown');
});

test('a session that was paused says who resumed it', async () => {
  const { session, watcher } = await open(says('Hello.'));
  vi.spyOn(RolloutWriter.prototype, 'recordInputs').mockRejectedValueOnce(
    new Failure('unavailable', 'file.write', 'no space left'),
  );
  await session.submit(message('hi'), 'Ada');
  await watcher.until((s) => s.status === 'paused');
  await session.resume('Grace');
  const { items } = await watcher.idle();
  expect(doneBy(items)).toContain('Resumed by Grace.');
  expect(doneBy(items)).toContain('hi: Ada');
  await session.unload('shutdown');
});

test('a command that was ended by hand says who did, one that is gone was ended by nobody', async () => {
  const { id, session, watcher } = await open(
    says('', calls('exec_command', { cmd: 'sleep 300', yield_time_ms: 250 })),
    says('Started.'),
  );
  await session.submit(message('begin'), 'Ada');
  const asking = await watcher.until((s) => s.asks.length > 0);
  await session.answer(asking.asks[0]?.id ?? '', { choice: 'once' }, 'Ada');
  const [running] = (await watcher.until((s) => s.background.length > 0)).background;
  await watcher.idle();
  await expect(session.stopCommand('none', 'Bo')).rejects.toMatchObject({ code: 'exec.unknown' });
  await session.stopCommand(running?.processId ?? '', 'Grace');
  const { items } = await watcher.until((s) => s.background.length === 0);
  const command = (all: readonly Item[]) => all.find(({ type }) => type === 'commandExecution');
  expect(command(items)).toMatchObject({ status: 'interrupted', endedBy: 'Grace', decision: { by: 'Ada' } });
  await session.unload('shutdown');

  const again = await box.load(id, new ScriptedModel());
  expect(command(again.snapshot().state.items)).toMatchObject({ endedBy: 'Grace' });
  await again.unload('shutdown');
});

test('a command that was stopped while it asked is told from one that ran', async () => {
  const { id, session, watcher } = await open(says('', calls('exec_command', { cmd: 'make' })));
  await session.submit(message('begin'), 'Ada');
  await watcher.until((s) => s.asks.length > 0);
  await session.interrupt('Grace');
  const command = (all: readonly Item[]) => all.find(({ type }) => type === 'commandExecution');
  const expected = { status: 'interrupted', decision: { outcome: 'withdrawn', by: null } };
  expect(command((await watcher.idle()).items)).toMatchObject(expected);
  await session.unload('shutdown');

  const again = await box.load(id, new ScriptedModel());
  expect(command(again.snapshot().state.items)).toMatchObject(expected);
  await again.unload('shutdown');
});
