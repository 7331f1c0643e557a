import type { Usage } from '@tscodex/shared/events';
import { beforeEach, expect, test } from 'vitest';
import { takeTokenCount, tokenCountRecord } from './token-count.ts';
import { estimated, NO_USAGE, sumOf, UsageTally } from './usage-tally.ts';

let tally: UsageTally;
beforeEach(() => {
  tally = new UsageTally();
});

const used = (inputTokens: number, outputTokens: number, more: Partial<Usage> = {}): Usage => ({
  ...{ ...NO_USAGE, inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  ...more,
});
const known = ({ last, context, turn, total }: UsageTally) => ({
  last,
  context,
  turn: [...turn],
  total: [...total],
});
const ofCodex = (input: number, cached: number, output: number, total = input + output) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  cache_write_input_tokens: 0,
  output_tokens: output,
  reasoning_output_tokens: 0,
  total_tokens: total,
});
const codexCount = (total: object, last: object) => ({
  type: 'token_count',
  info: { total_token_usage: total, last_token_usage: last, model_context_window: 258_400 },
});

test('what is recorded with each request is read back the same, by model and by turn', () => {
  const read = new UsageTally();
  const record = (model: string) => {
    const { payload, tscodex } = tokenCountRecord(tally, { model, contextWindow: 258_400 });
    takeTokenCount(read, JSON.parse(JSON.stringify(payload)), tscodex?.model ?? '');
  };
  for (const each of [tally, read]) each.turnStarted('t1');
  tally.add(used(1000, 20, { cachedInputTokens: 600, reasoningTokens: 5 }), 'small');
  record('small');
  for (const each of [tally, read]) each.turnEnded(true);
  for (const each of [tally, read]) each.turnStarted('t2');
  tally.add(used(2000, 30), 'large');
  record('large');
  tally.addAside(used(2050, 400), 'large');
  record('large');
  tally.setContext(estimated(700));
  record('large');
  for (const each of [tally, read]) each.turnEnded(true);
  tally.addAside(used(10, 1), 'small');
  record('small');
  expect(known(read)).toEqual(known(tally));
  expect(read.last).toEqual(used(10, 1));
  expect(read.context).toEqual(estimated(700));
  expect([...read.turn]).toEqual([['large', used(4050, 430)]]);
  expect(sumOf(read.total)).toEqual(used(5060, 451, { cachedInputTokens: 600, reasoningTokens: 5 }));
});

test('the form is what Codex writes, and says which model it was beside that', () => {
  tally.add(used(1200, 40, { cachedInputTokens: 800 }), 'gpt-5.5');
  expect(tokenCountRecord(tally, { model: 'gpt-5.5', contextWindow: 258_400 })).toEqual({
    timestamp: expect.any(String),
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: {
        total_token_usage: ofCodex(1200, 800, 40),
        last_token_usage: ofCodex(1200, 800, 40),
        last_usage_includes_reasoning: false,
        model_context_window: 258_400,
      },
      rate_limits: null,
    },
    tscodex: { model: 'gpt-5.5' },
  });
});

test("counts of Codex's own, as it wrote them over a compaction", () => {
  tally.turnStarted('a');
  takeTokenCount(tally, codexCount(ofCodex(1200, 0, 60), ofCodex(1200, 0, 60)), 'gpt-5.5');
  takeTokenCount(tally, codexCount(ofCodex(2600, 1100, 90), ofCodex(1400, 1100, 30)), 'gpt-5.5');
  tally.turnEnded(true);
  tally.turnStarted('b');
  // it repeats itself, which uses nothing
  takeTokenCount(tally, codexCount(ofCodex(2600, 1100, 90), ofCodex(1400, 1100, 30)), 'gpt-5.5');
  expect(sumOf(tally.turn)).toEqual(NO_USAGE);
  takeTokenCount(tally, codexCount(ofCodex(4000, 2200, 120), ofCodex(1400, 1100, 30)), 'gpt-5.5');
  takeTokenCount(tally, codexCount(ofCodex(4000, 2200, 120), ofCodex(0, 0, 0, 7927)), 'gpt-5.5');
  expect(tally.context).toEqual(estimated(7927));
  expect(sumOf(tally.turn)).toEqual(used(1400, 30, { cachedInputTokens: 1100 }));
  expect(sumOf(tally.total)).toEqual(used(4000, 120, { cachedInputTokens: 2200 }));
});

test('what was used before the first count is nobody’s; a count that begins anew adds to what is known', () => {
  takeTokenCount(tally, codexCount(ofCodex(9000, 0, 500), ofCodex(1000, 0, 100)), 'gpt-5.5');
  expect([...tally.total]).toEqual([
    ['', used(8000, 400)],
    ['gpt-5.5', used(1000, 100)],
  ]);
  takeTokenCount(tally, codexCount(ofCodex(10, 0, 1), ofCodex(10, 0, 1)), 'gpt-5.5');
  expect(sumOf(tally.total)).toEqual(used(9010, 501));
});

test.each([
  ['no info', { type: 'token_count', info: null }],
  ['a word for a number', codexCount({ ...ofCodex(1, 0, 1), input_tokens: 'many' }, ofCodex(1, 0, 1))],
  ['less than nothing', codexCount(ofCodex(-5, 0, 1), ofCodex(1, 0, 1))],
  ['another event', { type: 'agent_message', message: 'hello' }],
])('a record with %s changes nothing', (_what, payload) => {
  tally.add(used(5, 5), 'm');
  const before = known(tally);
  takeTokenCount(tally, payload, 'm');
  expect(known(tally)).toEqual(before);
});

test('after an answer without a count nobody knows what the conversation takes; a failure tells nothing', () => {
  tally.turnStarted('a');
  tally.add(used(5, 5), 'm');
  expect(tally.turnEnded(true)).toBe(false);
  tally.turnStarted('b');
  expect(tally.turnEnded(false)).toBe(false);
  expect(tally.context).toEqual(used(5, 5));
  tally.turnStarted('c');
  expect(tally.turnEnded(true)).toBe(true);
  expect(tally.context).toBeNull();
});

test('a turn that goes on keeps what it has used', () => {
  tally.turnStarted('a');
  tally.add(used(5, 5), 'm');
  expect(tally.turnStarted('a')).toBe(false);
  tally.add(used(6, 6), 'm');
  expect(sumOf(tally.turn)).toEqual(used(11, 11));
});
