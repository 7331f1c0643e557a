import type { EventBody } from '@tscodex/shared/events';
import { expect, test, vi } from 'vitest';
import { type ResponseItem, textOf, userText } from '../../base/response-items.ts';
import { modelFacts } from '../../model/catalog.ts';
import { type ModelEvent, ModelFailure } from '../../model/client.ts';
import { calls, hangsAfter, type ScriptedAnswer, ScriptedModel, says } from '../../model/scripted-model.ts';
import type { TurnContext } from '../turn-context.ts';
import { tokensOf } from './context-size.ts';
import { requestSummary, type SummaryOrder } from './summary-request.ts';

const history: ResponseItem[] = [
  userText('begin'),
  { type: 'function_call', call_id: 'c', name: 'exec_command', arguments: '{"cmd":"cat log"}' },
  { type: 'function_call_output', call_id: 'c', output: 'a line of the log\n'.repeat(2000) },
];

function ask(
  answers: ScriptedAnswer[],
  order: Partial<SummaryOrder> = {},
  signal = new AbortController().signal,
) {
  const model = new ScriptedModel(...answers);
  const events: EventBody[] = [];
  const used: number[] = [];
  const tools = [{ name: 'update_plan', spec: { type: 'function', name: 'update_plan' } }];
  const context = {
    ...{ sessionId: 's', turnId: 't', client: model, settings: { model: 'scripted-1' } },
    ...{ facts: modelFacts(''), instructions: 'Be brief.', history, tools },
  } as unknown as TurnContext;
  const summary = requestSummary(
    context,
    { history, prompt: undefined, room: undefined, limit: 1000, ...order },
    { emit: (event) => events.push(event), usedAside: ({ totalTokens }) => used.push(totalTokens) },
    signal,
  );
  return { summary, model, events, used };
}

const streams = (...events: ModelEvent[]): ScriptedAnswer =>
  function* () {
    yield* events;
  };
const text = (delta: string): ModelEvent => ({ type: 'text', itemId: 'm', delta });
const overflow =
  (details: Record<string, unknown> = {}): ScriptedAnswer =>
  () => {
    throw new ModelFailure('context-overflow', 'It is full.', { details });
  };

test('the words asked for depend on the room, and a prompt of the configuration replaces ours', async () => {
  const ours = ask([says('So.')]);
  expect(await ours.summary).toEqual({ text: 'So.', shortened: 0 });
  expect(ours.used).toEqual([15]);
  const last = (of: ScriptedModel) => textOf(of.requests[0]?.input.at(-1) as ReturnType<typeof userText>);
  expect(last(ours.model)).toContain('about 600 words');
  const theirs = ask([says('So.')], { prompt: 'Sum up in verse.' });
  await theirs.summary;
  expect(last(theirs.model)).toBe('Sum up in verse.');
});

test('what an attempt has said before it was repeated does not count', async () => {
  const again: ModelEvent = { type: 'retrying', attempt: 1, max: 2, delayMs: 1, message: 'reset' };
  const { summary, events } = ask([
    streams(text('Half of '), again, text('All of it.'), { type: 'completed', usage: null }),
  ]);
  expect((await summary).text).toBe('All of it.');
  expect(JSON.stringify(events)).toContain('model.retry');
});

test('cut off by its own limit it is a summary, by a filter it is none', async () => {
  const ends = (incomplete: string) =>
    streams(text('Most of it'), { type: 'completed', usage: null, incomplete });
  expect((await ask([ends('max_output_tokens')]).summary).text).toBe('Most of it');
  await expect(ask([ends('content_filter')]).summary).rejects.toMatchObject({ code: 'model.bad-request' });
});

test('a stream that just stops is no summary', async () => {
  await expect(ask([streams(text('Half'))]).summary).rejects.toMatchObject({ code: 'model.stream-cut' });
});

test('what does not fit is shortened by what the provider says, else by half, twice at the most', async () => {
  const told = ask([overflow({ limit: 4000, requested: 40_000 }), says('So.')]);
  expect(await told.summary).toEqual({ text: 'So.', shortened: 1 });
  const [whole, shorter] = told.model.requests.map(({ input }) => tokensOf(input));
  expect(shorter).toBeLessThan((whole as number) * 0.1);
  // the calls still have their outputs
  expect(told.model.requests[1]?.input).toHaveLength(history.length + 1);
  const full = ask([overflow(), overflow(), overflow(), says('never asked')]);
  await expect(full.summary).rejects.toMatchObject({ code: 'model.context-overflow' });
  expect(full.model.requests).toHaveLength(3);
});

test('what the history may take is what instruction and summary leave of the room', async () => {
  const { summary, model } = ask([says('So.')], { room: 6000, limit: 1000 });
  expect((await summary).shortened).toBe(1);
  expect(tokensOf(model.requests[0]?.input ?? [])).toBeLessThan(5000);
});

test('one that is too large in bytes is asked for without its images', async () => {
  const image = { type: 'input_image' as const, image_url: 'data:image/png;base64,AAAA' };
  const tooLarge: ScriptedAnswer = () => {
    throw new ModelFailure('too-large', 'HTTP 413.');
  };
  const seen: ResponseItem[] = [{ type: 'message', role: 'user', content: [image] }, ...history];
  const { summary, model } = ask([tooLarge, says('So.')], { history: seen });
  expect((await summary).text).toBe('So.');
  expect(JSON.stringify(model.requests.map(({ input }) => input[0]))).toMatch(/input_image.*input_text/);
  expect(JSON.stringify(model.requests[1]?.input)).not.toContain('input_image');
});

test('a stream without an end and without a word is left after a while', async () => {
  vi.useFakeTimers();
  try {
    const { summary } = ask([hangsAfter('')]);
    const told = expect(summary).rejects.toMatchObject({
      code: 'compaction.slow',
      details: { minutes: 15 },
    });
    await vi.advanceTimersByTimeAsync(15 * 60_000);
    await told;
  } finally {
    vi.useRealTimers();
  }
});

test('other failures are not tried again', async () => {
  const refused: ScriptedAnswer = () => {
    throw new ModelFailure('quota', 'Nothing left.');
  };
  const { summary, model } = ask([refused, says('never asked')]);
  await expect(summary).rejects.toMatchObject({ code: 'model.quota' });
  expect(model.requests).toHaveLength(1);
});

test('a call beside words is passed over', async () => {
  const { summary, model } = ask([says('So.', calls('update_plan', {}))]);
  expect((await summary).text).toBe('So.');
  expect(model.requests).toHaveLength(1);
});

test('it can be stopped', async () => {
  const stop = new AbortController();
  const { summary } = ask([hangsAfter('It is')], {}, stop.signal);
  stop.abort(new Error('stopped'));
  await expect(summary).rejects.toThrow('stopped');
});
