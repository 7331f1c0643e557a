/** Providers that fail, each in its own way: one clear sentence in the conversation, and the session goes on. */

import { type AddressInfo, createServer } from 'node:net';
import { expect } from '@playwright/test';
import { answered, notices, said } from '../support/conversation.ts';
import { type Answer, FakeModel } from '../support/fake-model.ts';
import { Box, type RunningServer } from '../support/server.ts';
import { test } from '../support/stage.ts';

const KEY = 'sk-test-0123456789abcdefghij';

/** A whole config.toml. */
function config(url: string, provider: string): string {
  return `model = "scripted"\nmodel_provider = "fake"\n[model_providers.fake]\nbase_url = "${url}"\n${provider}\n`;
}

let model: FakeModel;
let box: Box;
let server: RunningServer;
let session: string;

test.beforeAll(async () => {
  model = await FakeModel.start();
  box = await Box.make({ toml: config(model.url, 'stream_max_retries = 2\nenv_key = "FAKE_KEY"') });
  server = await box.start([], { FAKE_KEY: KEY });
});

test.beforeEach(async () => {
  model.reset();
  session = await server.newSession();
});

test.afterAll(async () => {
  await server.kill();
  await model.stop();
  await box.remove();
});

/** Sends a message, waits for the turn's end and returns what the session then shows. */
async function told(to: RunningServer, session: string) {
  await to.send(session, 'hello');
  await to.until(session, (state) => state.items.some((item) => item.type === 'userMessage'));
  const state = await to.idle(session);
  return { notices: notices(state), answers: answered(state), asked: model.requests.length };
}

/** The same session answers the next message, and what failed is in its history once. */
async function expectGoesOn(to: RunningServer, session: string): Promise<void> {
  model.answer([{ text: 'Here again.' }]);
  await to.send(session, 'once more');
  await to.until(session, (state) => answered(state).includes('Here again.'));
  const users = model.requests.at(-1)?.input.filter((item) => item.role === 'user') ?? [];
  expect(JSON.stringify(users).match(/"hello"/g)).toHaveLength(1);
}

type Case = { name: string; answer: Answer; code: string; says: RegExp; asked: number };

const failed = (code: string, message: string): Answer => [{ failed: { code, message } }];
const json = (status: number, error: object): Answer => ({ status, body: JSON.stringify({ error }) });

const finalCases: Case[] = [
  {
    name: '401',
    answer: json(401, { code: 'invalid_api_key', message: `Incorrect API key provided: ${KEY}` }),
    code: 'model.auth',
    says: /^fake \(model scripted\) refused the credentials \(HTTP 401, code invalid_api_key\).*\[hidden\].*API key\.$/,
    asked: 1,
  },
  {
    name: '404',
    answer: json(404, { code: 'model_not_found', message: 'The model `scripted` does not exist' }),
    code: 'model.not-found',
    says: /knows no such model or address \(HTTP 404.*127\.0\.0\.1:\d+\/v1\/responses\).*base_url/,
    asked: 1,
  },
  {
    name: 'HTML with 404',
    answer: { status: 404, type: 'text/html', body: '<html><title>Not here</title></html>' },
    code: 'model.not-found',
    says: /an HTML page, "Not here"/,
    asked: 1,
  },
  {
    name: 'HTML with 200',
    answer: { status: 200, type: 'text/html', body: '<!doctype html><title>Sign in</title>' },
    code: 'model.not-an-api',
    says: /does not answer as the Responses API does.*an HTML page, "Sign in".*base_url/,
    asked: 1,
  },
  {
    name: 'garbage',
    answer: { status: 200, type: 'text/event-stream', body: 'SSH-2.0-OpenSSH_9.6\r\n' },
    code: 'model.not-an-api',
    says: /does not answer as the Responses API does.*SSH-2\.0/,
    asked: 1,
  },
  {
    name: 'JSON of another API',
    answer: { status: 200, body: '{"object":"chat.completion","choices":[]}' },
    code: 'model.not-an-api',
    says: /chat\.completion/,
    asked: 1,
  },
  {
    name: 'a quota that is used up',
    answer: json(429, { code: 'insufficient_quota', message: 'You exceeded your current quota' }),
    code: 'model.quota',
    says: /no quota left.*billing/,
    asked: 1,
  },
  {
    name: 'response.failed: refused',
    answer: failed('invalid_prompt', 'Invalid prompt: it was flagged'),
    code: 'model.bad-request',
    says: /refused the request.*it was flagged/,
    asked: 1,
  },
  {
    name: 'response.incomplete',
    answer: [{ text: 'Half of ' }, { incomplete: 'max_output_tokens' }],
    code: 'model.bad-request',
    says: /stopped early \(max_output_tokens\).*continue/,
    asked: 1,
  },
  {
    name: '500, again and again',
    answer: json(500, { message: 'The server had an error' }),
    code: 'model.server',
    says: /failed \(HTTP 500\): The server had an error.*Send it again/,
    asked: 3,
  },
  {
    name: 'response.failed: overloaded, again and again',
    answer: failed('server_is_overloaded', 'Try later'),
    code: 'model.overloaded',
    says: /is overloaded.*Wait a little/,
    asked: 3,
  },
  {
    name: 'a stream without its end, again and again',
    answer: [{ text: 'Half of ' }, { cut: true }],
    code: 'model.stream-cut',
    says: /broke off its answer.*Send it again/,
    asked: 3,
  },
];

for (const { name, answer, code, says, asked } of finalCases)
  test(`${name} ends the turn with a sentence`, async () => {
    model.answer(...Array<Answer>(asked).fill(answer));
    const end = await told(server, session);
    expect(end.asked).toBe(asked);
    const [last] = end.notices.slice(-1);
    expect(last).toMatchObject({ level: 'error', code });
    expect(last?.text).toMatch(says);
    // retries are one notice, however many
    expect(end.notices.filter((notice) => notice.code === 'model.retry')).toHaveLength(asked > 1 ? 1 : 0);
    expect(JSON.stringify(end)).not.toContain(KEY);
    await expectGoesOn(server, session);
  });

const passingCases: { name: string; answer: Answer }[] = [
  { name: '500', answer: json(500, { message: 'The server had an error' }) },
  { name: '503', answer: { status: 503, type: 'text/plain', body: 'no backend' } },
  { name: 'a stream without its end', answer: [{ text: 'Half of ' }, { cut: true }] },
  {
    name: 'response.failed: a rate limit',
    answer: failed('rate_limit_exceeded', 'Please try again in 20ms.'),
  },
];

for (const { name, answer } of passingCases)
  test(`${name}, once, is tried again and told in one notice`, async () => {
    model.answer(answer, [{ text: 'Whole.' }]);
    const end = await told(server, session);
    expect(end).toMatchObject({ asked: 2, answers: ['Whole.'] });
    expect(end.notices).toMatchObject([{ level: 'info', code: 'model.retry', status: 'completed' }]);
  });

test('429 with Retry-After is waited out, and not a moment less', async () => {
  model.answer({ status: 429, body: '{"error":{"message":"slow down"}}', headers: { 'retry-after': '1' } });
  const end = await told(server, session);
  expect(end).toMatchObject({ asked: 2, answers: ['OK.'] });
  expect(end.notices).toMatchObject([{ code: 'model.retry', details: { httpStatus: 429 } }]);
  expect((model.askedAt[1] ?? 0) - (model.askedAt[0] ?? 0)).toBeGreaterThan(990);
});

test('429 that asks for an hour is left to the person', async () => {
  model.answer({ status: 429, body: '{"error":{"message":"later"}}', headers: { 'retry-after': '3600' } });
  const end = await told(server, session);
  expect(end.asked).toBe(1);
  expect(end.notices).toMatchObject([{ level: 'error', code: 'model.rate-limit' }]);
  await expectGoesOn(server, session);
});

test('a provider that says nothing is given up after its idle timeout', async ({ open }) => {
  const toml = config(model.url, 'stream_max_retries = 1\nstream_idle_timeout_ms = 700');
  const { server, session } = await open({ modelUrl: null, toml });
  model.answer('silence', [{ text: 'Half of ' }, { wait: new Promise(() => undefined) }]);
  const end = await told(server, session);
  expect(end).toMatchObject({ asked: 2, answers: [] });
  expect(end.notices.at(-1)).toMatchObject({ level: 'error', code: 'model.connection' });
  expect(end.notices.at(-1)?.text).toMatch(/it sent nothing for 1 s/);
  await expectGoesOn(server, session);
});

test('a provider that is not there is named by address while it is tried again, until somebody stops it', async ({
  open,
}) => {
  const toml = config(`http://127.0.0.1:${await closedPort()}/v1`, 'stream_max_retries = 1');
  const { server, session } = await open({ modelUrl: null, toml });
  await server.send(session, 'hello');
  const state = await server.until(session, (state) => (state.retrying?.attempt ?? 0) > 1);
  expect(notices(state).at(-1)).toMatchObject({ level: 'info', code: 'model.retry', status: 'inProgress' });
  expect(notices(state).at(-1)?.text).toMatch(
    /^Retry \d+\/\d+\. fake \(model scripted\) cannot be reached \(http:\/\/127\.0\.0\.1:\d+\/v1\/responses\): nothing listens there/,
  );
  await server.api('POST', `api/sessions/${session}/interrupt`);
  expect((await server.idle(session)).retrying).toBeNull();
});

test('what came of an answer that stops early is there to be continued, also after a restart', async ({
  open,
}) => {
  const scene = await open({ modelUrl: null, toml: config(model.url, '') });
  model.answer([{ text: 'Half of ' }, { incomplete: 'max_output_tokens' }], [{ text: 'it.' }]);
  await told(scene.server, scene.session);
  await scene.restart();
  await scene.server.send(scene.session, 'continue');
  const end = await scene.server.until(scene.session, (state) => answered(state).includes('it.'));
  expect(answered(end)).toEqual(['Half of ', 'it.']);
  expect(JSON.stringify(model.requests.at(-1)?.input)).toContain('Half of ');
});

test('stopping ends a request that hangs and the wait for a retry', async () => {
  model.answer('silence', { status: 429, body: '{}', headers: { 'retry-after': '100' } });
  await server.send(session, 'hello');
  await model.asked(1);
  await server.api('POST', `api/sessions/${session}/interrupt`);
  await server.idle(session);
  await server.send(session, 'hello');
  await server.until(session, (state) => state.retrying !== null);
  await server.api('POST', `api/sessions/${session}/interrupt`);
  const state = await server.idle(session);
  expect(state.retrying).toBeNull();
  expect(model.requests).toHaveLength(2);
});

test('half a configuration: the session says what is missing, is no demo, and answers once it is whole', async ({
  open,
}) => {
  const scene = await open({ modelUrl: null, toml: config(model.url, 'env_key = "MY_KEY"') });
  await scene.server.send(scene.session, 'hello');
  const state = await scene.server.until(scene.session, ({ status }) => status === 'paused');
  expect(notices(state)).toMatchObject([
    { level: 'error', code: 'model.config' },
    { level: 'warning', code: 'session.paused' },
  ]);
  expect(notices(state)[0]?.text).toBe(
    `${scene.box.codexHome}/config.toml: provider fake needs an API key in the environment variable MY_KEY, which is not set. Mend it, then resume this session.`,
  );
  expect(state.waiting).toMatchObject([{ text: 'hello' }]);
  await scene.restart({ MY_KEY: KEY });
  const end = await scene.server.until(scene.session, (s) => answered(s).length > 0);
  expect(answered(end)).toEqual(['OK.']);
  expect(said(end)).toEqual(['hello']);
});

const TEXT = '你好 🌍 é';
const sse = (event: { type: string }) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
const item = { type: 'message', id: 'm1', role: 'assistant', content: [{ type: 'output_text', text: TEXT }] };
const body = Buffer.from(
  [
    { type: 'response.output_text.delta', item_id: 'm1', output_index: 0, content_index: 0, delta: TEXT },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'r1', status: 'completed', output: [item] } },
  ]
    .map(sse)
    .join(''),
);

test('O-B1: characters cut anywhere arrive whole', async () => {
  const start = body.indexOf(TEXT);
  const within = Array.from({ length: Buffer.byteLength(TEXT) - 1 }, (_, i) => start + i + 1);
  for (const at of within) model.answer({ pieces: [body.subarray(0, at), body.subarray(at)] });
  model.answer({ pieces: Array.from(body, (_, i) => body.subarray(i, i + 1)) });
  for (const _ of [...within, 'byte by byte']) {
    await server.send(session, 'hello');
    await server.idle(session);
  }
  const state = await server.state(session);
  expect(answered(state)).toEqual(Array(within.length + 1).fill(TEXT));
  expect(JSON.stringify(state)).not.toContain('\ufffd');
});

/** A port that was free a moment ago. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
