/** A conversation that grows too long for its model, over a real provider and through crashes. */
import { expect } from '@playwright/test';
import type { Compaction } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { FULL_ACCESS } from '../support/browser-stage.ts';
import { answered, notices, said } from '../support/conversation.ts';
import type { Answer, FakeModel, ModelRequest } from '../support/fake-model.ts';
import { test } from '../support/stage.ts';

const LONG = `${'There is much to say of it. '.repeat(400)}That is all.`;

function compactions({ items }: SessionState): Compaction[] {
  return items.filter((item): item is Compaction => item.type === 'compaction');
}

function words({ input }: ModelRequest): string[] {
  return input.map(({ content }) =>
    Array.isArray(content) ? content.map((part: { text?: string }) => part.text ?? '').join('') : '',
  );
}

const sumsUp = (request: ModelRequest) => /^Stop working on the task/.test(words(request).at(-1) ?? '');

function refusal(message: string, more: object = {}): Answer {
  return { status: 400, body: JSON.stringify({ error: { message, type: 'BadRequestError', ...more } }) };
}

const OVERFLOWS: [string, Answer][] = [
  [
    'OpenAI',
    refusal('Your input exceeds the context window of this model. Please adjust your input and try again.', {
      code: 'context_length_exceeded',
    }),
  ],
  [
    'vLLM',
    refusal(
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens in the messages, Please reduce the length of the messages.",
    ),
  ],
  [
    'llama.cpp',
    refusal('request (60179 tokens) exceeds the available context size (60160 tokens), try increasing it', {
      type: 'exceed_context_size_error',
    }),
  ],
  ['Anthropic', refusal('prompt is too long: 213462 tokens > 200000 maximum')],
  ['Ollama', refusal('prompt too long; exceeded max context length by 812 tokens')],
  ['in the stream', [{ failed: { code: 'context_length_exceeded', message: 'Your input exceeds it.' } }]],
];

for (const [name, overflow] of OVERFLOWS)
  test(`O-B11: full as ${name} says it: one compaction, one more try, and the turn goes on`, async ({
    model,
    open,
  }) => {
    const { server, session } = await open({ toml: FULL_ACCESS });
    model.answer([
      { text: LONG },
      { call: 'exec_command', args: { cmd: 'echo once >> ran.txt; cat ran.txt' } },
    ]);
    model.answer(overflow, [{ text: 'The command ran.' }], [{ text: 'It fits.' }]);
    await server.send(session, 'run it');
    const state = await server.until(session, (s) => answered(s).includes('It fits.'));
    expect(compactions(state)).toMatchObject([{ status: 'completed', reason: 'overflow' }]);
    expect(model.requests.map(sumsUp)).toEqual([false, false, true, false]);
    // the tool did not run again
    expect(JSON.stringify(model.requests[1]?.input)).toContain('once\\n');
    expect(JSON.stringify(model.requests[1]?.input)).not.toContain('once\\nonce');
    expect(words(model.requests[3] as ModelRequest).slice(-2)).toEqual([
      'run it',
      expect.stringContaining('The command ran.'),
    ]);
  });

test('O-B11: what only sounds like it does not sum up', async ({ model, open }) => {
  const { server, session } = await open();
  model.answer([{ text: LONG }], refusal('max_tokens is too large: 999999'));
  await server.send(session, 'first');
  await server.idle(session);
  await server.send(session, 'second');
  const state = await server.until(session, (s) => notices(s).length > 0 && s.turn === null);
  expect(notices(state).map(({ code }) => code)).toEqual(['model.bad-request']);
  expect(model.requests).toHaveLength(2);
});

test('O-E4: a provider that refuses everything as too long is asked a bounded number of times', async ({
  model,
  open,
}) => {
  const { server, session } = await open();
  model.answer([{ text: LONG }]);
  await server.send(session, 'first');
  await server.idle(session);
  model.answer(...Array<Answer>(20).fill(refusal('prompt is too long: 9000 tokens > 8000 maximum')));
  await server.send(session, 'second');
  const state = await server.until(session, (s) => notices(s).length > 0 && s.turn === null);
  expect(model.requests.filter(sumsUp)).toHaveLength(3);
  expect(model.requests).toHaveLength(5);
  expect(said(state)).toEqual(['first', 'second']);
  expect(notices(state).at(-1)?.text).toMatch(/new session|larger context window/);
  // and somebody with a larger model goes on
  model.reset();
  await server.send(session, 'third');
  await server.until(session, (s) => answered(s).includes('OK.'));
  expect(words(model.requests[0] as ModelRequest)).toEqual(expect.arrayContaining(['second', 'third']));
});

test('kill -9 while the summary is written: the conversation is as it was', async ({ model, open }) => {
  const scene = await open();
  model.answer([{ text: LONG }], 'silence', [{ text: 'As before.' }]);
  await scene.server.send(scene.session, 'first');
  await scene.server.idle(scene.session);
  await scene.server.send(scene.session, '/compact');
  await model.asked(2);
  await scene.server.kill('SIGKILL');
  scene.server = await scene.box.start(scene.args);
  const state = await scene.server.idle(scene.session);
  expect(compactions(state)).toEqual([]);
  expect(answered(state)).toEqual([LONG]);
  // not begun again by itself
  expect(model.requests).toHaveLength(2);
  await scene.server.send(scene.session, 'second');
  await scene.server.until(scene.session, (s) => answered(s).includes('As before.'));
  expect(words(model.requests[2] as ModelRequest).slice(-3)).toEqual(['first', LONG, 'second']);
});

test('kill -9 right after it: the summary holds, and what people see is all there', async ({
  model,
  open,
}) => {
  const scene = await open();
  model.answer([{ text: LONG }], [{ text: 'All of it in short.' }], [{ text: 'Gone on.' }]);
  await scene.server.send(scene.session, 'first');
  await scene.server.idle(scene.session);
  await scene.server.send(scene.session, '/compact');
  const before = await scene.server.until(scene.session, (s) => compactions(s)[0]?.status === 'completed');
  await scene.server.kill('SIGKILL');
  scene.server = await scene.box.start(scene.args);
  const state = await scene.server.idle(scene.session);
  expect(compactions(state)).toEqual(compactions(before));
  expect(answered(state)).toEqual([LONG]);
  await scene.server.send(scene.session, 'second');
  await scene.server.until(scene.session, (s) => answered(s).includes('Gone on.'));
  expect(words(model.requests[2] as ModelRequest).slice(-3)).toEqual([
    'first',
    expect.stringContaining('All of it in short.'),
    'second',
  ]);
  expectNothingOf(LONG, model.requests[2]);
});

test('a compaction is stopped as a turn is, and nothing has changed', async ({ model, open }) => {
  const { server, session } = await open();
  model.answer([{ text: LONG }], [{ text: 'It is' }, { wait: new Promise(() => undefined) }]);
  await server.send(session, 'first');
  await server.idle(session);
  await server.send(session, '/compact');
  await model.asked(2);
  await server.api('POST', `api/sessions/${session}/interrupt`);
  const state = await server.idle(session);
  expect(compactions(state)).toMatchObject([{ status: 'interrupted' }]);
  await server.send(session, 'second');
  await server.until(session, (s) => answered(s).includes('OK.'));
  expect(words(model.requests[2] as ModelRequest)).toContain(LONG);
});

function expectNothingOf(text: string, request: FakeModel['requests'][number] | undefined): void {
  expect(JSON.stringify(request?.input)).not.toContain(text);
}
