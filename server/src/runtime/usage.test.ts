import { readFile, writeFile } from 'node:fs/promises';
import type { Usage } from '@tscodex/shared/events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { calls, hangsAfter, type ScriptedAnswer, ScriptedModel, says } from '../model/scripted-model.ts';
import { NO_USAGE } from '../session/usage-tally.ts';
import { findSession } from './session-rows.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

const MODELS = { 'scripted-1': { contextWindow: 105_264 }, 'scripted-2': { contextWindow: 40_000 } };
const PRICES = { currency: 'USD', models: { 'scripted-1': { input: 1, cachedInput: 0.1, output: 10 } } };

let box: TestBox;
beforeEach(async () => {
  box = await openTestBox({ prices: PRICES, models: MODELS });
});
afterEach(async () => {
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function load(id: string, ...answers: ScriptedAnswer[]) {
  const session = await box.load(id, new ScriptedModel(...answers));
  return { session, watcher: new Watcher(session) };
}
const open = async (...answers: ScriptedAnswer[]) => {
  const id = await box.create();
  return { id, ...(await load(id, ...answers)) };
};

const used = (inputTokens: number, outputTokens: number, more: Partial<Usage> = {}): Usage => ({
  ...{ ...NO_USAGE, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  ...more,
});

/** An answer that took so much; null: the model does not say. */
function costing(usage: Usage | null, answer: ScriptedAnswer): ScriptedAnswer {
  return async function* (request, signal) {
    for await (const event of answer(request, signal))
      yield event.type === 'completed' ? { ...event, usage } : event;
  };
}

test('requests add up to a turn, turns to the session; a restart keeps both, and the file tells Codex', async () => {
  const plan = calls('update_plan', { plan: [] });
  const { id, session, watcher } = await open(
    costing(used(20_000, 100, { cachedInputTokens: 5000, reasoningTokens: 40 }), says('', plan)),
    costing(used(21_000, 50), says('Done.')),
    costing(used(22_000, 10), says('Again.')),
  );
  await session.submit(message('one'), null);
  await watcher.until((s) => s.turn === null && s.usage?.total.totalTokens === 41_150);
  const firstTurn = used(41_000, 150, { cachedInputTokens: 5000, reasoningTokens: 40 });
  expect(watcher.events.find(({ type }) => type === 'turn.completed')).toMatchObject({ usage: firstTurn });
  await session.submit(message('two'), null);
  const { usage } = await watcher.until((s) => s.turn === null && s.usage?.last.outputTokens === 10);
  expect(usage).toEqual({
    last: used(22_000, 10),
    turn: used(22_000, 10),
    total: used(63_000, 160, { cachedInputTokens: 5000, reasoningTokens: 40 }),
    cost: { currency: 'USD', turn: 0.0221, total: expect.closeTo(0.0601, 9) },
    contextTokens: 22_010,
    contextEstimated: false,
    contextWindow: 100_000,
    contextLeft: 89,
  });
  await session.unload('shutdown');
  const again = await load(id);
  expect(again.watcher.state?.usage).toEqual(usage);
  await again.session.unload('shutdown');
});

test('the running turn begins at nothing, and one that fails tells what it took', async () => {
  const { session, watcher } = await open(
    costing(used(100, 10), says('One.')),
    costing(used(200, 20), says('', calls('update_plan', { plan: [] }))),
    () => {
      throw new Error('broken');
    },
  );
  await session.submit(message('one'), null);
  await watcher.idle();
  await session.submit(message('two'), null);
  await watcher.until((s) => s.usage?.turn?.totalTokens === 0);
  const { usage } = await watcher.until((s) => s.turn === null && s.usage?.last.inputTokens === 200);
  expect(usage).toMatchObject({ turn: used(200, 20), total: used(300, 30) });
  expect(watcher.events.findLast(({ type }) => type === 'turn.completed')).toMatchObject({
    status: 'failed',
    usage: used(200, 20),
  });
  await session.unload('shutdown');
});

test('a server that goes down in the middle of a turn loses no more than the running request', async () => {
  const plan = calls('update_plan', { plan: [] });
  const { id, session, watcher } = await open(costing(used(300, 30), says('', plan)), hangsAfter('Thinking'));
  await session.submit(message('go'), null);
  await watcher.until((s) => s.items.some((i) => i.type === 'agentMessage'));
  await session.unload('shutdown');
  const again = await load(id);
  expect(again.watcher.state?.usage).toMatchObject({ total: used(300, 30), turn: used(300, 30) });
  await again.session.unload('shutdown');
});

test.each([
  ['nothing', null],
  ['zeros', NO_USAGE],
])('a model that tells %s has no usage invented for it', async (_what, usage) => {
  const { session, watcher } = await open(costing(usage, says('Hello.')));
  await session.submit(message('hi'), null);
  const state = await watcher.until((s) => s.items.length === 2 && s.turn === null);
  expect(state.usage).toBeNull();
  expect(watcher.events.find(({ type }) => type === 'turn.completed')).not.toHaveProperty('usage');
  await session.unload('shutdown');
});

test('once the model does not tell any more, nobody knows how much is left, also after a restart', async () => {
  const { id, session, watcher } = await open(
    costing(used(20_000, 10), says('One.')),
    costing(null, says('Two.')),
  );
  await session.submit(message('one'), null);
  expect((await watcher.idle()).usage?.contextLeft).toBe(91);
  await session.submit(message('two'), null);
  const { usage } = await watcher.until((s) => s.turn === null && s.usage?.contextLeft === undefined);
  expect(usage).toMatchObject({ total: used(20_000, 10), turn: NO_USAGE });
  expect(usage).not.toHaveProperty('contextTokens');
  await session.unload('shutdown');
  const again = await load(id);
  expect(again.watcher.state?.usage).toEqual(usage);
  await again.session.unload('shutdown');
});

test('another model has another window, and no price; what the conversation takes in it is an estimate', async () => {
  const model = new ScriptedModel(costing(used(20_000, 10), says('One.')), costing(used(9, 1), says('Two.')));
  const id = await box.create();
  const session = await box.load(id, model, {});
  const watcher = new Watcher(session);
  await session.submit(message('one'), null);
  await watcher.idle();
  await session.change({ model: 'scripted-2' }, null);
  expect(watcher.state?.usage).toMatchObject({
    ...{ contextWindow: 38_000, contextTokens: 20_010, contextEstimated: true, contextLeft: 69 },
    cost: { total: 0.0201 },
  });
  await session.submit(message('two'), null);
  const { usage } = await watcher.until((s) => s.turn === null && s.usage?.last.totalTokens === 10);
  expect(usage).toMatchObject({ unpriced: ['scripted-2'], contextTokens: 10, contextEstimated: false });
  expect(usage).not.toHaveProperty('cost');
  await session.unload('shutdown');
});

test('a session from before its file told keeps what its row says', async () => {
  const { id, session, watcher } = await open(
    costing(null, says('Old.')),
    costing(used(50, 5), says('New.')),
  );
  await session.submit(message('old'), null);
  await watcher.until((s) => s.turn === null && s.items.length === 2);
  await session.unload('shutdown');
  const row = JSON.stringify({ last: used(70, 7), total: used(700, 70) });
  await box.db.write('UPDATE sessions SET usage = ? WHERE id = ?', row, id);
  const again = await load(id, costing(used(50, 5), says('New.')));
  expect(again.watcher.state?.usage).toMatchObject({
    last: used(70, 7),
    total: used(700, 70),
    unpriced: [''],
  });
  await again.session.submit(message('new'), null);
  const { usage } = await again.watcher.until((s) => s.turn === null && s.usage?.last.inputTokens === 50);
  expect(usage).toMatchObject({ total: used(750, 75), unpriced: [''] });
  await again.session.unload('shutdown');
  const third = await load(id);
  expect(third.watcher.state?.usage).toEqual(usage);
  await third.session.unload('shutdown');
});

test('counts that somebody has spoilt are left out, and the session loads', async () => {
  const { id, session, watcher } = await open(costing(used(50, 5), says('One.')));
  await session.submit(message('one'), null);
  await watcher.idle();
  await session.unload('shutdown');
  const path = findSession(box.db, id)?.rolloutPath ?? '';
  const spoilt = (await readFile(path, 'utf8')).replaceAll('"input_tokens":50', '"input_tokens":"50"');
  await writeFile(path, spoilt);
  const again = await load(id);
  expect(again.watcher.state).toMatchObject({ usage: null, status: 'idle' });
  await again.session.unload('shutdown');
});
