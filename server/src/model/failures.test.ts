import { expect, test } from 'vitest';
import type { ProviderSettings } from '../base/config/model-config.ts';
import type { ModelFailure } from './client.ts';
import { httpFailure } from './failures.ts';
import { ResponsesClient } from './responses.ts';
import {
  type Answer,
  collect,
  delta,
  provider,
  request,
  settings,
  sse,
  status,
  stream,
} from './test-provider.ts';

async function fail(answer: Answer, more: Partial<ProviderSettings> = {}): Promise<ModelFailure> {
  const { origin } = await provider(answer);
  const client = new ResponsesClient(settings(`${origin}/v1`, more), '1.2.3');
  return collect(client.stream(request(), new AbortController().signal)).then(
    (events) => {
      throw new Error(`no failure but ${JSON.stringify(events)}`);
    },
    (failure) => failure,
  );
}

// What a provider can answer instead, and what a person is told.
type Row = [
  name: string,
  answer: Answer,
  expected: Partial<Record<'reason' | 'retryable' | 'httpStatus' | 'retryAfterMs', unknown>>,
  text: RegExp,
];
const error = (body: Record<string, unknown>) => ({ error: body });
const failedWith = (body: Record<string, unknown>) =>
  stream(sse({ type: 'response.failed', response: { status: 'failed', error: body } }));
const html = (code: number, title: string) =>
  status(code, `<!doctype html><html><title>${title}</title><p>sk-secret-key</p>`, {
    'content-type': 'text/html',
  });

const rows: Row[] = [
  [
    '401',
    status(401, error({ message: 'Incorrect API key: sk-secret-key.' }), { 'x-request-id': 'req_1' }),
    { reason: 'auth', retryable: false, httpStatus: 401 },
    /^test \(model m1\) refused the credentials \(HTTP 401, request req_1\): Incorrect API key: \[hidden\]\. Check this provider's API key\.$/,
  ],
  ['403', status(403, { detail: 'no' }), { reason: 'auth', httpStatus: 403 }, /HTTP 403\): no\. /],
  ['402', status(402, {}), { reason: 'quota', retryable: false }, /no quota/],
  [
    '404 for the model',
    status(404, error({ code: 'model_not_found', message: 'The model m1 does not exist' })),
    { reason: 'not-found', retryable: false },
    /The model m1 does not exist\. Check model/,
  ],
  [
    '404 for the address',
    status(404, 'nope'),
    { reason: 'not-found' },
    /http:\/\/127.*\/v1\/responses\): nope.*\/v1/,
  ],
  [
    '400',
    status(400, error({ message: 'bad field' })),
    { reason: 'bad-request', retryable: false },
    /bad field/,
  ],
  ['429', status(429, error({ message: 'Slow' })), { reason: 'rate-limit', retryable: true }, /slow down/],
  [
    '429 with Retry-After',
    status(429, error({ message: 'Slow' }), { 'retry-after': '7' }),
    { reason: 'rate-limit', retryAfterMs: 7000 },
    /Slow/,
  ],
  [
    '429 with words',
    status(429, error({ message: 'Please try again in 1m2.5s.' })),
    { reason: 'rate-limit', retryAfterMs: 62_500 },
    /again/,
  ],
  [
    '429 used up',
    status(429, error({ code: 'insufficient_quota', message: 'Over.' })),
    { reason: 'quota', retryable: false },
    /Check plan/,
  ],
  [
    '429 usage limit',
    status(429, error({ type: 'usage_limit_reached', message: 'Over.' })),
    { reason: 'quota', retryable: false },
    /Over/,
  ],
  [
    '500',
    status(500, 'oops'),
    { reason: 'server', retryable: true, httpStatus: 500 },
    /failed \(HTTP 500\): oops\./,
  ],
  [
    '503',
    status(503, error({ code: 'server_is_overloaded' })),
    { reason: 'overloaded', retryable: true },
    /overload/,
  ],
  ['408', status(408, ''), { reason: 'server', retryable: true }, /HTTP 408/],
  ['502 in HTML', html(502, 'Bad Gateway'), { reason: 'server' }, /an HTML page, "Bad Gateway"/],
  [
    '200 in HTML',
    html(200, 'Welcome'),
    { reason: 'not-an-api' },
    /\/v1\/responses\): an HTML page, "Welcome"\. Check base_url/,
  ],
  [
    'HTML in a stream’s clothes',
    stream('<html><title>x</title>'),
    { reason: 'not-an-api', retryable: false },
    /an HTML page/,
  ],
  ['garbage', stream('data: {oops\n\n'), { reason: 'not-an-api' }, /\{oops/],
  ['words', stream('hello there\n'), { reason: 'not-an-api' }, /hello there/],
  ['one JSON document', status(200, { id: 'x' }), { reason: 'not-an-api' }, /\{"id":"x"\}/],
  [
    'an error with status 200',
    status(200, error({ code: 'rate_limit_exceeded' })),
    { reason: 'rate-limit' },
    /slow/,
  ],
  ['another API', stream('data: {"choices":[]}\n\ndata: [DONE]\n\n'), { reason: 'not-an-api' }, /choices/],
  ['nothing', stream(), { reason: 'stream-cut', retryable: true }, /ended without response.completed/],
  ['no end', stream(sse(delta('ok'))), { reason: 'stream-cut', retryable: true }, /broke off its answer/],
  ['an end within an event', stream(sse(delta('ok')), 'data: {"ty'), { reason: 'stream-cut' }, /broke off/],
  [
    'a reset',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse(delta('ok')), () => response.destroy());
    },
    { reason: 'stream-cut', retryable: true },
    /connection broke within the answer/,
  ],
  [
    'a redirect',
    status(302, '', { location: 'http://h/x?key=1' }),
    { reason: 'not-an-api' },
    /redirect to http:\/\/h\/x,/,
  ],
  [
    'failed: rate',
    failedWith({ code: 'rate_limit_exceeded', message: 'Please try again in 200ms.' }),
    { reason: 'rate-limit', retryable: true, retryAfterMs: 200 },
    /code rate_limit_exceeded/,
  ],
  [
    'failed: quota',
    failedWith({ code: 'insufficient_quota', message: 'x' }),
    { reason: 'quota', retryable: false },
    /x/,
  ],
  [
    'failed: overloaded',
    failedWith({ code: 'server_is_overloaded', message: 'x' }),
    { reason: 'overloaded' },
    /x/,
  ],
  [
    'failed: prompt',
    failedWith({ code: 'invalid_prompt', message: 'x' }),
    { reason: 'bad-request', retryable: false },
    /x/,
  ],
  ['failed: policy', failedWith({ code: 'cyber_policy', message: 'x' }), { reason: 'bad-request' }, /x/],
  [
    'failed: other',
    failedWith({ code: 'what', message: 'x' }),
    { reason: 'server', retryable: true },
    /code what\): x/,
  ],
  [
    'failed without a reason',
    stream(sse({ type: 'response.failed', response: { error: null } })),
    { reason: 'server' },
    /no reason given/,
  ],
  [
    'an error event',
    stream(sse({ type: 'error', code: 'server_error', message: 'x' })),
    { reason: 'server' },
    /: x\./,
  ],
  ['a bare error', stream(sse({ error: { message: 'x' } })), { reason: 'server' }, /: x\./],
];

test.each(rows)('failure: %s', async (_name, answer, expected, text) => {
  const failure = await fail(answer);
  expect(failure).toMatchObject(expected);
  expect(failure.code).toBe(`model.${failure.reason}`);
  expect(failure.message).toMatch(text);
  expect(failure.message).toContain('test (model m1)');
  expect(JSON.stringify([failure.message, failure.details])).not.toContain('sk-secret-key');
});

test('silence ends the request after the idle timeout, before and within the answer', async () => {
  const silent = await fail(() => undefined, { idleTimeoutMs: 100 });
  expect(silent).toMatchObject({ reason: 'connection', retryable: true });
  expect(silent.message).toContain('it sent nothing for');
  const stalled = await fail(
    (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sse(delta('ok')));
    },
    { idleTimeoutMs: 100 },
  );
  expect(stalled.message).toContain('it sent nothing for');
});

test('a closed port and an unknown host are named', async () => {
  const { origin, close } = await provider(() => undefined);
  await close();
  const ask = (url: string) =>
    collect(new ResponsesClient(settings(url), '1').stream(request(), new AbortController().signal)).catch(
      (e) => e,
    );
  const refused = await ask(origin);
  expect(refused).toMatchObject({ reason: 'connection', retryable: true });
  expect(refused.message).toBe(
    `test (model m1) cannot be reached (${origin}/responses): nothing listens there (ECONNREFUSED). Check base_url and the network.`,
  );
  expect(await ask('http://nowhere.invalid/v1')).toMatchObject({ reason: 'connection' });
});

const overflows = [
  {
    status: 400,
    body: {
      error: {
        message:
          'Your input exceeds the context window of this model. Please adjust your input and try again.',
        type: 'invalid_request_error',
        param: 'input',
        code: 'context_length_exceeded',
      },
    },
  },
  {
    status: 400,
    body: {
      object: 'error',
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens in the messages, Please reduce the length of the messages.",
      type: 'BadRequestError',
      code: 400,
    },
  },
  {
    status: 400,
    body: {
      error: {
        message:
          "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens.",
        type: 'BadRequestError',
        param: 'input_tokens',
        code: 400,
      },
    },
  },
  {
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          'request (60179 tokens) exceeds the available context size (60160 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_ctx: 60160,
      },
    },
  },
  {
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 213462 tokens > 200000 maximum' },
    },
  },
  { status: 400, body: { error: { message: 'prompt too long; exceeded max context length by 812 tokens' } } },
  {
    status: 400,
    body: {
      object: 'error',
      message: "The input (400013 tokens) is longer than the model's context length (262144 tokens).",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
  },
  {
    status: 400,
    body: {
      error: {
        message: "Input length (265330) exceeds model's maximum context length (262144).",
        type: 'invalid_request_error',
      },
    },
  },
];

test('O-B11: "too long" in every dialect', async () => {
  for (const { status: code, body } of overflows)
    expect(await fail(status(code, body)), JSON.stringify(body)).toMatchObject({
      reason: 'context-overflow',
      retryable: false,
    });
  const told = 'request (60179 tokens) exceeds the available context size (60160 tokens)';
  expect(await fail(status(400, error({ message: told })))).toMatchObject({
    details: { limit: 60_160, requested: 60_179 },
  });
  const failure = await fail(failedWith({ code: 'context_length_exceeded', message: 'too long' }));
  expect(failure.details).not.toHaveProperty('limit');
  expect(failure.reason).toBe('context-overflow');
  expect(failure.message).toContain('larger context window');
});

test('O-B11: what sounds alike is not it', async () => {
  const message = (text: string) => error({ message: text });
  expect((await fail(status(400, message('max_tokens is too large: 999999')))).reason).toBe('bad-request');
  for (const text of [
    'Too many tokens per minute',
    'This request exceeds the limit of 30000 tokens per minute',
  ])
    expect((await fail(status(429, message(text)))).reason).toBe('rate-limit');
});

test.each([
  [400, 'Invalid content type. image_url is only supported by certain models.'],
  [400, 'Image inputs are not supported by this model.'],
  [400, 'qwen3-8b is not a multimodal model'],
  [400, 'At most 0 image(s) may be provided in one prompt.'],
  [500, 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
  [404, 'No endpoints found that support image input'],
  [422, 'unknown variant `image_url`, expected `text` at line 1 column 40'],
  [400, 'This model does not support vision.'],
  [500, 'this model is missing data required for image input'],
  [400, 'The image data you provided does not represent a valid image.'],
  [400, 'Could not process image'],
])('an image that the model does not take is told with the way out (%i %s)', async (code, text) => {
  const failure = await fail(status(code, error({ message: text })));
  expect(failure).toMatchObject({ reason: 'images', retryable: false });
  expect(failure.message).toContain('does not take the images of this conversation');
  expect(failure.message).toContain('/model NAME');
});

test('what only speaks of images is another failure', async () => {
  expect((await fail(status(500, error({ message: 'image service crashed' })))).reason).toBe('server');
  expect((await fail(status(400, error({ message: 'tool view_image: bad schema' })))).reason).toBe(
    'bad-request',
  );
});

test.each([
  ['titles that do not end', `<!doctype html>${'<title'.repeat(30_000)}`],
  ['a word that goes on and on', JSON.stringify(error({ message: 'exceed'.repeat(20_000) }))],
  ['a wait that is none', `try again in ${'1'.repeat(100_000)} x`],
  ['blanks', `${' '.repeat(100_000)}x`],
  ['images without end', JSON.stringify(error({ message: 'image '.repeat(20_000) }))],
])('no answer stops the clock: %s', (_what, body) => {
  const asked = { provider: 'test', model: 'm1', url: 'http://127.0.0.1/v1', secrets: [] };
  const began = performance.now();
  expect(httpFailure(asked, { status: 400, headers: new Headers(), body }).reason).toBe('bad-request');
  expect(performance.now() - began).toBeLessThan(2_000);
});

test.each(['constructor', '__proto__', 'toString'])('the code %s is one we do not know', async (code) => {
  const failure = await fail(status(400, error({ code, type: code, message: 'no' })));
  expect(failure).toMatchObject({ reason: 'bad-request', details: { code } });
});

test('what names the failure is shortened and holds no key either', async () => {
  const code = `sk-secret-key ${'x'.repeat(10_000)}`;
  const answer = status(400, error({ code, message: 'no' }), { 'x-request-id': 'req sk-secret-key' });
  const { message, details } = await fail(answer);
  expect(JSON.stringify([message, details])).not.toContain('sk-secret-key');
  expect(details).toMatchObject({
    code: expect.stringMatching(/^\[hidden\] x{491}…$/),
    requestId: 'req [hidden]',
  });
  expect(message.length).toBeLessThan(1_000);
});
