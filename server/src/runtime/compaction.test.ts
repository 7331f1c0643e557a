import { readFile } from 'node:fs/promises';
import type { Compaction } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { framed } from '../agent/compaction/compacted-history.ts';
import { NativeBackend } from '../backends/native.ts';
import { Failure } from '../base/errors.ts';
import { isToolCall, isToolOutput, type ResponseItem, textOf } from '../base/response-items.ts';
import type { WindowSettings } from '../model/catalog.ts';
import { ModelFailure, type ModelRequest } from '../model/client.ts';
import { calls, hangsAfter, type ScriptedAnswer, ScriptedModel, says } from '../model/scripted-model.ts';
import { readRollout } from '../session/rollout-reader.ts';
import { findSession } from './session-rows.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

let box: TestBox;
beforeEach(async () => {
  box = await openTestBox();
});
afterEach(async () => {
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function open(model: ScriptedModel, window?: WindowSettings) {
  const id = await box.create();
  const session = await box.load(id, model, window);
  return { id, model, session, watcher: new Watcher(session) };
}

const LONG = `${'many words '.repeat(700)}and so on`;

const compactions = (state: SessionState) =>
  state.items.filter((item): item is Compaction => item.type === 'compaction');
const codes = (state: SessionState) => state.items.flatMap((i) => (i.type === 'notice' ? [i.code] : []));
const answers = (state: SessionState) =>
  state.items.flatMap((i) => (i.type === 'agentMessage' ? [i.text] : []));
const texts = (input: readonly ResponseItem[] = []) =>
  input.map((item) => (item.type === 'message' ? textOf(item) : item.type));

/** Whether a request asks for a summary. */
const asksToSumUp = ({ input }: ModelRequest) =>
  texts(input).at(-1)?.startsWith('Stop working on the task') ?? false;

/** Answers with these tokens in use. */
function using(totalTokens: number, answer: ScriptedAnswer): ScriptedAnswer {
  return async function* (request, signal) {
    for await (const event of answer(request, signal))
      yield event.type === 'completed'
        ? {
            ...event,
            usage: { ...NOTHING, inputTokens: totalTokens - 5, outputTokens: 5, totalTokens },
          }
        : event;
  };
}
const NOTHING = { cachedInputTokens: 0, reasoningTokens: 0 };

/** The answer, and when it was asked for. */
function reached(answer: ScriptedAnswer) {
  let resolve: () => void = () => undefined;
  const asked = new Promise<void>((done) => {
    resolve = done;
  });
  const noted: ScriptedAnswer = (...request) => {
    resolve();
    return answer(...request);
  };
  return { asked, answer: noted };
}

function overflows(details: Record<string, unknown> = {}): ScriptedAnswer {
  // biome-ignore lint/correctness/useYield: it fails before anything comes
  return async function* () {
    throw new ModelFailure('context-overflow', 'scripted has no room for a conversation this long.', {
      details,
    });
  };
}

test('/compact puts a summary in place of the conversation, and both sides of a restart go on with it', async () => {
  const model = new ScriptedModel(
    says(`Reading. ${LONG}`, calls('update_plan', { plan: [] }, 'c1')),
    using(20_000, says('Done with the first.')),
    says('The first is done, the second is not.'),
    says('And the second.'),
  );
  const { id, session, watcher } = await open(model);
  await session.submit(message('do the first'), null);
  await watcher.until((s) => s.turn === null && answers(s).includes('Done with the first.'));
  await session.submit(message('/compact'), 'Mei');
  const state = await watcher.until((s) => s.turn === null && compactions(s)[0]?.status === 'completed');

  const [before, asked] = [model.requests[1], model.requests[2]] as [ModelRequest, ModelRequest];
  expect(asked.instructions).toBe(before.instructions);
  expect(asked.tools).toEqual(before.tools);
  expect(asked.input.slice(0, before.input.length)).toEqual(before.input);
  expect(asksToSumUp(asked)).toBe(true);
  const [item] = compactions(state) as [Compaction];
  expect(item).toMatchObject({
    reason: 'manual',
    itemsBefore: asked.input.length - 1,
    itemsAfter: 4,
    summary: 'The first is done, the second is not.',
  });
  expect(item.tokensAfter).toBeLessThan(item.tokensBefore as number);
  expect(answers(state)).toHaveLength(2);
  expect(watcher.events.filter((e) => e.type === 'turn.completed').at(-1)).toMatchObject({
    status: 'completed',
  });

  await session.unload('shutdown');
  const again = await box.load(id, model);
  const after = new Watcher(again);
  expect(after.state?.items).toEqual(state.items);
  await again.submit(message('do the second'), null);
  await after.until((s) => s.turn === null && answers(s).includes('And the second.'));
  const [developer, user, first, summary, second, ...more] = texts(model.requests[3]?.input);
  expect([developer, user]).toEqual([
    expect.stringMatching(/^<permissions/),
    expect.stringMatching(/^<environment_context/),
  ]);
  expect([first, second, more]).toEqual(['do the first', 'do the second', []]);
  expect(summary).toBe(framed('The first is done, the second is not.'));
  await again.unload('shutdown');
});

test('where nothing was said there is nothing to sum up', async () => {
  const { model, session, watcher } = await open(new ScriptedModel());
  await session.submit(message('/compact'), null);
  const state = await watcher.until((s) => codes(s).includes('command.compact'));
  expect(compactions(state)).toEqual([]);
  expect(model.requests).toEqual([]);
  await session.unload('shutdown');
});

test('one that cannot even begin is told, and does not pause the session', async () => {
  const { session, watcher } = await open(new ScriptedModel(says(LONG)));
  await session.submit(message('do the first'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  const compact = vi.spyOn(NativeBackend.prototype, 'compact');
  compact.mockRejectedValueOnce(new Failure('invalid', 'config.instructions', 'they cannot be read'));
  await session.submit(message('/compact'), null);
  const state = await watcher.until((s) => s.turn === null && codes(s).includes('config.instructions'));
  expect(compactions(state)).toEqual([]);
  expect(state.status).not.toBe('paused');
  compact.mockRestore();
  await session.unload('shutdown');
});

test('while the agent works /compact says so', async () => {
  const { session, watcher } = await open(new ScriptedModel(hangsAfter('Working')));
  await session.submit(message('work'), null);
  await watcher.until((s) => answers(s).includes('Working'));
  await session.submit(message('/compact'), null);
  const state = await watcher.until((s) => codes(s).includes('session.busy'));
  expect(compactions(state)).toEqual([]);
  await session.unload('shutdown');
});

test('a message that comes meanwhile waits for its own turn', async () => {
  const summing = reached(hangsAfter('The'));
  const model = new ScriptedModel(says(LONG), summing.answer, says('After all.'));
  const { session, watcher } = await open(model);
  await session.submit(message('begin'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message('/compact'), null);
  await summing.asked;
  await session.submit(message('and more'), null);
  await session.interrupt('Mei');
  const state = await watcher.until((s) => s.turn === null && answers(s).includes('After all.'));
  expect(compactions(state)).toMatchObject([{ status: 'interrupted' }]);
  // as if nobody had tried
  expect(texts(model.requests[2]?.input).slice(-3)).toEqual(['begin', LONG, 'and more']);
  await session.unload('shutdown');
});

test('a conversation over the limit is summed up before it is gone on with, the new words outside of it', async () => {
  const model = new ScriptedModel(using(91_000, says(LONG)), says('So far: one.'), says('Two.'));
  const { session, watcher } = await open(model);
  await session.submit(message('one'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  expect(watcher.state?.usage?.contextLeft).toBeLessThan(15);
  await session.submit(message('two'), null);
  const state = await watcher.until((s) => s.turn === null && answers(s).includes('Two.'));
  expect(compactions(state)).toMatchObject([
    { reason: 'threshold', status: 'completed', summary: 'So far: one.' },
  ]);
  expect(texts(model.requests[1]?.input)).not.toContain('two');
  expect(texts(model.requests[2]?.input).slice(2)).toEqual(['one', framed('So far: one.'), 'two']);
  expect(watcher.events.find((e) => e.type === 'usage.updated' && (e.contextLeft ?? 0) > 90)).toBeDefined();
  await session.unload('shutdown');
});

test('between the steps of a turn as well, and a final answer is the end', async () => {
  const model = new ScriptedModel(
    using(91_000, says(LONG, calls('update_plan', { plan: [] }, 'call_1'))),
    says('I have planned.'),
    using(91_000, says('Done.')),
  );
  const { session, watcher } = await open(model);
  await session.submit(message('go'), null);
  const state = await watcher.until((s) => s.turn === null && answers(s).includes('Done.'));
  expect(model.requests.map(asksToSumUp)).toEqual([false, true, false]);
  expect(state.items.map((item) => item.type)).toEqual([
    'userMessage',
    'agentMessage',
    'plan',
    'compaction',
    'agentMessage',
  ]);
  await session.unload('shutdown');
});

test('a call after a compaction does not take the place of one before it that had the same id', async () => {
  const call = () => calls('no_such_tool', {}, 'call_1');
  const model = new ScriptedModel(
    using(91_000, says(LONG, call())),
    says('Summary.'),
    says('Once more.', call()),
    says('Done.'),
  );
  const { session, watcher } = await open(model);
  await session.submit(message('go'), null);
  const state = await watcher.until((s) => s.turn === null && answers(s).includes('Done.'));
  expect(new Set(state.items.map(({ id }) => id)).size).toBe(state.items.length);
  expect(state.items.filter((item) => item.type === 'toolCall')).toHaveLength(2);
  await session.unload('shutdown');
});

test('what does not fit is summed up once and asked once more; no tool runs again', async () => {
  const model = new ScriptedModel(
    says(LONG, calls('update_plan', { plan: [] })),
    overflows({ limit: 8192, requested: 9000 }),
    says('Planned.'),
    says('It fits.'),
  );
  const { session, watcher } = await open(model, {});
  await session.submit(message('go'), null);
  const state = await watcher.until((s) => s.turn === null && answers(s).includes('It fits.'));
  expect(compactions(state)).toMatchObject([{ reason: 'overflow', status: 'completed' }]);
  expect(state.items.filter((item) => item.type === 'plan')).toHaveLength(1);
  expect(model.requests.map(asksToSumUp)).toEqual([false, false, true, false]);
  await session.unload('shutdown');
});

test('a second overflow ends the turn with what to do; the message is not lost, and a larger model goes on', async () => {
  const model = new ScriptedModel(says(LONG), overflows(), says('Summary.'), overflows());
  const { id, session, watcher } = await open(model);
  await session.submit(message('first'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message('the second'), null);
  const state = await watcher.until((s) => s.turn === null && codes(s).includes('compaction.stillTooLong'));
  expect(state.status).toBe('idle');
  await session.unload('shutdown');
  const large = new ScriptedModel();
  const again = await box.load(id, large);
  const after = new Watcher(again);
  await again.submit(message('hello?'), null);
  await after.until((s) => s.turn === null && large.requests.length === 1);
  expect(texts(large.requests[0]?.input)).toEqual(expect.arrayContaining(['the second', 'hello?']));
  await again.unload('shutdown');
});

test('a restart while it is summed up keeps the words that were just sent, whole and after the summary', async () => {
  const asked = `${LONG} Now do this.`;
  const summing = reached(hangsAfter('So'));
  const model = new ScriptedModel(using(91_000, says(LONG)), summing.answer);
  const { id, session, watcher } = await open(model);
  await session.submit(message('one'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message(asked), null);
  await summing.asked;
  await session.unload('shutdown');
  const second = new ScriptedModel(says('So far: one.'), says('Two.'));
  const again = await box.load(id, second);
  const after = new Watcher(again);
  const state = await after.until((s) => s.turn === null && answers(s).includes('Two.'));
  // by what the model has counted before the restart, not by our estimate
  expect(compactions(state).at(-1)).toMatchObject({ status: 'completed', reason: 'threshold' });
  expect(compactions(state).at(-1)?.tokensBefore).toBeGreaterThan(91_000);
  expect(texts(second.requests[1]?.input).slice(2)).toEqual(['one', framed('So far: one.'), asked]);
  await again.unload('shutdown');
});

test('what a turn has left unanswered that failed is kept in its words by the compaction of the next', async () => {
  const asked = `${LONG} Now do this.`;
  const failing: ScriptedAnswer = () => {
    throw new ModelFailure('quota', 'scripted has no quota left.');
  };
  const model = new ScriptedModel(
    using(91_000, says(LONG)),
    says(''),
    failing,
    says('So far.'),
    says('Two.'),
  );
  const { session, watcher } = await open(model);
  await session.submit(message('one'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message(asked), null);
  await watcher.until((s) => s.turn === null && codes(s).includes('model.quota'));
  await session.submit(message('please'), null);
  await watcher.until((s) => s.turn === null && answers(s).includes('Two.'));
  expect(texts(model.requests[4]?.input).slice(2)).toEqual(['one', framed('So far.'), asked, 'please']);
  await session.unload('shutdown');
});

test('a provider that says once that it has no room does not make the conversation short for ever', async () => {
  const model = new ScriptedModel(says('Hello.'), overflows(), says(LONG), says('Still here.'));
  const { session, watcher } = await open(model);
  await session.submit(message('hello'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message('more'), null);
  await watcher.until((s) => s.turn === null && codes(s).includes('compaction.notSmaller'));
  await session.submit(message('and now'), null);
  const state = await watcher.until((s) => s.turn === null && answers(s).includes('Still here.'));
  expect(compactions(state)).toHaveLength(1);
  await session.unload('shutdown');
});

test('a provider that has no room after any compaction is asked for two, whatever is sent; /compact then helps', async () => {
  let full = true;
  const model = new ScriptedModel(
    says(LONG),
    ...Array.from(
      { length: 40 },
      (): ScriptedAnswer => (request, signal) =>
        (asksToSumUp(request) ? says('Summary.') : full ? overflows() : says('At last.'))(request, signal),
    ),
  );
  const { session, watcher } = await open(model);
  await session.submit(message('begin'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  for (let turn = 1; turn <= 6; turn++) {
    await session.submit(message(`go on ${turn} ${LONG}`), null);
    await watcher.until((s) => s.turn === null && codes(s).length === turn);
  }
  expect(codes(watcher.state as SessionState)).toEqual(Array(6).fill('compaction.stillTooLong'));
  expect(model.requests.filter(asksToSumUp)).toHaveLength(2);
  full = false;
  await session.submit(message('/compact'), null);
  await watcher.until((s) => s.turn === null && compactions(s).length === 3);
  await session.submit(message('and now'), null);
  await watcher.until((s) => s.turn === null && answers(s).includes('At last.'));
  await session.unload('shutdown');
});

test('long words that were just sent are not held against the compactions before them', async () => {
  const paste = (n: number) => `paste ${n} ${'text '.repeat(68_000)}`;
  const model = new ScriptedModel(
    ...Array.from(
      { length: 40 },
      (): ScriptedAnswer => (request, signal) => {
        const tokens = Math.ceil(Buffer.byteLength(JSON.stringify(request)) / 4);
        return using(tokens, says(asksToSumUp(request) ? 'Summary.' : `Read. ${LONG}`))(request, signal);
      },
    ),
  );
  const { session, watcher } = await open(model);
  for (let n = 1; n <= 5; n++) {
    await session.submit(message(paste(n)), null);
    await watcher.until((s) => s.turn === null && (answers(s).length === n || codes(s).length > 0));
  }
  expect(codes(watcher.state as SessionState)).toEqual([]);
  expect(texts(model.requests.at(-1)?.input).at(-1)).toBe(paste(5));
  await session.unload('shutdown');
});

test('a limit that no compaction gets below does not stop a session that has room', async () => {
  const model = new ScriptedModel(
    ...Array.from(
      { length: 60 },
      (): ScriptedAnswer => (request, signal) => {
        const tokens = Math.ceil(Buffer.byteLength(JSON.stringify(request)) / 4);
        return using(tokens, says(asksToSumUp(request) ? 'Summary.' : LONG))(request, signal);
      },
    ),
  );
  const { session, watcher } = await open(model, { contextWindow: 100_000, autoCompactTokenLimit: 1000 });
  for (let n = 1; n <= 12; n++) {
    await session.submit(message(`message ${n}`), null);
    await watcher.until((s) => s.turn === null && (answers(s).length === n || codes(s).length > 0));
  }
  expect(codes(watcher.state as SessionState)).toEqual([]);
  expect(model.requests.filter(asksToSumUp).length).toBeLessThan(8);
  await session.unload('shutdown');
});

test('a body that is too large in bytes is no reason to sum up, and /compact leaves the images out', async () => {
  const tooLarge: ScriptedAnswer = () => {
    throw new ModelFailure('too-large', 'scripted does not take a request of this size in bytes.');
  };
  const model = new ScriptedModel(says(LONG), tooLarge, tooLarge, says('Summary.'), says('Hello.'));
  const { session, watcher } = await open(model);
  await session.submit(message('begin'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message('go on'), null);
  await watcher.until((s) => s.turn === null && codes(s).includes('model.too-large'));
  await session.submit(message('/compact'), null);
  await watcher.until((s) => s.turn === null && compactions(s)[0]?.status === 'completed');
  expect(model.requests.map(asksToSumUp)).toEqual([false, false, true, true]);
  await session.unload('shutdown');
});

test('the first message alone does not fit: nothing is summed up, and it is not in the way afterwards', async () => {
  const model = new ScriptedModel(overflows(), says('Summary of a long text.'), says('Hello.'));
  const { session, watcher } = await open(model, { contextWindow: 20_000 });
  await session.submit(message(`please read ${'text '.repeat(20_000)}`), null);
  await watcher.until((s) => s.turn === null && codes(s).includes('model.context-overflow'));
  await session.submit(message('hello?'), null);
  const state = await watcher.until((s) => s.turn === null && answers(s).includes('Hello.'));
  expect(model.requests.map(asksToSumUp)).toEqual([false, true, false]);
  expect(compactions(state)).toMatchObject([{ reason: 'threshold', status: 'completed', shortened: 1 }]);
  await session.unload('shutdown');
});

test.each<[string, ScriptedAnswer[], string]>([
  ['nothing', [says('')], 'compaction.empty'],
  ['only reasoning', [reasons('hm '.repeat(10))], 'compaction.empty'],
  ['reasoning without end', [reasons('hm '.repeat(200_000), true)], 'compaction.empty'],
  ['as much as there was', [says(LONG)], 'compaction.notSmaller'],
  ['only calls', Array(3).fill(says('', calls('update_plan', {}))), 'compaction.called'],
  ['overflow, again and again', [overflows(), overflows(), overflows()], 'model.context-overflow'],
])('a summary that fails (%s) leaves history and file as they were', async (_, summaries, code) => {
  const model = new ScriptedModel(says(LONG), ...summaries, says('As before.'));
  const { id, session, watcher } = await open(model);
  await session.submit(message('begin'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message('/compact'), null);
  const state = await watcher.until((s) => s.turn === null && compactions(s)[0]?.status === 'failed');
  expect(compactions(state)[0]).toMatchObject({ errorCode: code, error: expect.stringMatching(/\.$/) });
  expect(model.requests).toHaveLength(1 + summaries.length);
  // shown once
  expect(codes(state)).toEqual([]);
  expect(await readFile(pathOf(id), 'utf8')).not.toContain('"compacted"');
  await session.submit(message('go on'), null);
  await watcher.until((s) => s.turn === null && answers(s).includes('As before.'));
  expect(texts(model.requests.at(-1)?.input).slice(-3)).toEqual(['begin', LONG, 'go on']);
  await session.unload('shutdown');
});

test('a summary without end is cut off, and judged as it is', async () => {
  let pulled = 0;
  const endless: ScriptedAnswer = async function* () {
    for (;;) {
      pulled += 1;
      yield { type: 'text', itemId: 'm', delta: 'and then, and then, ' };
    }
  };
  const long = says('many words '.repeat(16_000));
  const { session, watcher } = await open(new ScriptedModel(long, endless));
  await session.submit(message('begin'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message('/compact'), null);
  const state = await watcher.until((s) => s.turn === null && compactions(s)[0]?.status === 'completed');
  expect(compactions(state)[0]?.summary).toMatch(/\[cut off here: it was too long\]$/);
  expect(compactions(state)[0]?.tokensAfter).toBeLessThan(20_000);
  expect(pulled).toBeLessThan(3000);
  await session.unload('shutdown');
});

test('calls instead of a summary are not run, and it is asked once more without tools', async () => {
  const model = new ScriptedModel(says(LONG), says('', calls('update_plan', {})), says('Summary.'));
  const { session, watcher } = await open(model);
  await session.submit(message('begin'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message('/compact'), null);
  const state = await watcher.until((s) => s.turn === null && compactions(s)[0]?.status === 'completed');
  expect(model.requests[1]?.tools.length).toBeGreaterThan(0);
  expect(model.requests[2]?.tools).toEqual([]);
  expect(state.items.some((item) => item.type === 'plan')).toBe(false);
  await session.unload('shutdown');
});

test('one that was due and fails is told, tried once a turn, and the work goes on while there is room', async () => {
  const model = new ScriptedModel(
    using(91_000, says(LONG)),
    says(''),
    using(92_000, says('Planning.', calls('update_plan', { plan: [] }))),
    using(93_000, says('Two.')),
  );
  const { session, watcher } = await open(model);
  await session.submit(message('one'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message('two'), null);
  const state = await watcher.until((s) => s.turn === null && answers(s).includes('Two.'));
  expect(compactions(state)).toMatchObject([{ reason: 'threshold', status: 'failed' }]);
  expect(model.requests.map(asksToSumUp)).toEqual([false, true, false, false]);
  await session.unload('shutdown');
});

test('where it fails and there is no room either the turn fails, and the message stays in the conversation', async () => {
  const model = new ScriptedModel(using(100_500, says(LONG)), says(''));
  const { id, session, watcher } = await open(model);
  await session.submit(message('one'), null);
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  await session.submit(message('two'), null);
  const state = await watcher.until((s) => s.turn === null && codes(s).includes('compaction.empty'));
  expect(state.items.some((item) => item.type === 'userMessage' && item.text === 'two')).toBe(true);
  expect(state.status).toBe('idle');
  await session.unload('shutdown');
  expect(texts((await readRollout(pathOf(id)))?.history).at(-1)).toBe('two');
});

test('compactions that bring nothing end: a model that says 7,900 whatever it is asked', async () => {
  const model = new ScriptedModel(
    ...Array.from(
      { length: 40 },
      (): ScriptedAnswer => (request, signal) => {
        const answer = asksToSumUp(request)
          ? says('Summary.')
          : says(LONG, calls('update_plan', { plan: [] }));
        return using(7900, answer)(request, signal);
      },
    ),
  );
  const { session, watcher } = await open(model, { contextWindow: 8000 });
  await session.submit(message('go'), null);
  const state = await watcher.until((s) => s.turn === null && codes(s).includes('compaction.inVain'));
  expect(model.requests.filter(asksToSumUp)).toHaveLength(2);
  expect(model.requests).toHaveLength(5);
  const told = state.items.find((item) => item.type === 'notice' && item.code === 'compaction.inVain');
  expect(told).toMatchObject({
    text: expect.stringContaining('/model'),
    details: { model: 'scripted-1', limit: expect.any(Number) },
  });
  // and it stays so for the next message, until something is different
  await session.submit(message('once more'), null);
  await watcher.until((s) => s.turn === null && codes(s).length === 2);
  expect(model.requests).toHaveLength(5);
  await session.submit(message('/model scripted-2'), null);
  await watcher.until((s) => codes(s).includes('command.model'));
  await session.submit(message('and now'), null);
  await watcher.until(() => model.requests.length > 5);
  await session.unload('shutdown');
});

test('a model that tells no usage is measured by what is said', async () => {
  const silent = (text: string): ScriptedAnswer =>
    async function* (request, signal) {
      for await (const event of says(text)(request, signal))
        yield event.type === 'completed' ? { ...event, usage: null } : event;
    };
  const model = new ScriptedModel(
    ...Array.from(
      { length: 60 },
      (): ScriptedAnswer => (request, signal) =>
        silent(asksToSumUp(request) ? 'Summary.' : LONG)(request, signal),
    ),
  );
  const { session, watcher } = await open(model, { contextWindow: 16_000 });
  for (let n = 1; n <= 8; n++) {
    await session.submit(message(`message ${n}`), null);
    await watcher.until((s) => s.turn === null && answers(s).length === n);
  }
  const done = compactions(watcher.state as SessionState);
  expect(done.length).toBeGreaterThan(0);
  expect(done.every(({ status }) => status === 'completed')).toBe(true);
  await session.unload('shutdown');
});

test('300 turns in a window of 8,000 tokens: the first instruction still holds', async () => {
  const model = new SmallModel(8000);
  const { session, watcher, id } = await open(model, { contextWindow: 8000 });
  await session.submit(
    message('In all that follows, end each of your answers with the word heliotrope.'),
    null,
  );
  await watcher.until((s) => s.turn === null && answers(s).length === 1);
  let all = 0;
  let loaded = { session, watcher };
  for (let turn = 2; turn <= 300; turn++) {
    // now and then the server is restarted
    if (turn % 90 === 0) {
      await loaded.session.unload('shutdown');
      const again = await box.load(id, model, { contextWindow: 8000 });
      loaded = { session: again, watcher: new Watcher(again) };
    }
    await loaded.session.submit(message(`question ${turn}: ${'why '.repeat(40)}`), null);
    const state = await loaded.watcher.until(
      (s) => s.turn === null && (answers(s).at(-1) ?? '').startsWith(`Answer to question ${turn}`),
    );
    if (answers(state).at(-1)?.endsWith('heliotrope')) all += 1;
  }
  expect(all).toBe(299);
  expect(model.summaries).toBeGreaterThan(10);
  expect(model.overflows).toBe(0);
  expect(model.largest).toBeLessThanOrEqual(8000);
  await loaded.session.unload('shutdown');
}, 300_000);

function reasons(text: string, endless = false): ScriptedAnswer {
  return async function* () {
    for (const delta of text.match(/.{1,300}/g) ?? [])
      yield { type: 'reasoning', itemId: 'r', part: 'text', delta };
    if (endless)
      await new Promise((_, reject) => setTimeout(() => reject(new Error('read to its end')), 2000));
    yield { type: 'completed', usage: null };
  };
}

function pathOf(id: string): string {
  return findSession(box.db, id)?.rolloutPath as string;
}

/** Holds so many tokens and not one more, knows only what stands in the request, and reports what it has read. */
class SmallModel extends ScriptedModel {
  summaries = 0;
  overflows = 0;
  largest = 0;

  constructor(private readonly window: number) {
    super();
  }

  override async *stream(request: ModelRequest, signal: AbortSignal) {
    const { instructions, input, tools } = request;
    const tokens = Math.ceil(Buffer.byteLength(JSON.stringify({ instructions, input, tools })) / 4.5);
    expectPaired(input);
    if (tokens > this.window) {
      this.overflows += 1;
      yield* overflows({ limit: this.window, requested: tokens })(request, signal);
    }
    this.largest = Math.max(this.largest, tokens);
    const word =
      /end each of your answers with the word (\w+)/.exec(texts(input).join('\n'))?.[1] ?? 'nothing';
    const question =
      [
        ...texts(input)
          .join('\n')
          .matchAll(/question (\d+):/g),
      ].at(-1)?.[1] ?? '1';
    const outputs = input.filter(isToolOutput).length;
    let answer = says(`Answer to question ${question} ${'because '.repeat(60)}${word}`);
    if (asksToSumUp(request)) {
      this.summaries += 1;
      answer = says(
        `Goal: end each of your answers with the word ${word}. Last was question ${question}: done.`,
      );
    } else if (Number(question) % 3 === 0 && !isToolOutput(input.at(-1) as ResponseItem))
      answer = says('', calls('update_plan', { explanation: 'x'.repeat(400), plan: [] }, `call_${outputs}`));
    yield* using(tokens + 200, answer)(request, signal);
  }
}

function expectPaired(input: readonly ResponseItem[]): void {
  const called = input.filter(isToolCall).map(({ call_id }) => call_id);
  expect(input.filter(isToolOutput).map(({ call_id }) => call_id)).toEqual(called);
}
