// What a provider can answer again and again: how often it is asked, and what a person is told in the end.
import { expect, test } from 'vitest';
import type { ModelFailureReason } from './client.ts';
import { ResponsesClient } from './responses.ts';
import { withRetries } from './retry.ts';
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

const MAX = 3;
const REQUEST_MAX = 2;

/** Asks a provider at `baseUrl`, in a time that moves only by waiting. */
async function ask(baseUrl: string, limits: { max: number; requestMax: number }, idleTimeoutMs = 10_000) {
  let time = 0;
  const waits: number[] = [];
  const client = withRetries(new ResponsesClient(settings(baseUrl, { idleTimeoutMs }), '1'), {
    ...limits,
    now: () => time,
    random: () => 1,
    sleep: async (ms) => {
      waits.push(ms);
      time += ms;
    },
  });
  const failure = await collect(client.stream(request(), new AbortController().signal)).then(
    () => null,
    (error) => error,
  );
  return { failure, waits, time };
}

const error = (body: Record<string, unknown>) => ({ error: body });
const failed = (code: string, message = 'x') =>
  stream(
    sse(delta('half'), { type: 'response.failed', response: { status: 'failed', error: { code, message } } }),
  );
const ended: Answer = stream(sse(delta('half')));
const reset: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(sse(delta('half')), () => response.destroy());
};
const closed: Answer = (response) => void response.destroy();
const silent: Answer = () => undefined;

type Row = [what: string, answer: Answer, reason: ModelFailureReason, asked: number];

/** Once more than it is tried again. */
const [REFUSED, BROKEN] = [REQUEST_MAX + 1, MAX + 1];

test.each<Row>([
  ['400', status(400, error({ message: 'bad field' })), 'bad-request', 1],
  ['400 of a content filter', status(400, error({ code: 'content_filter', message: 'x' })), 'bad-request', 1],
  ['401', status(401, {}), 'auth', 1],
  ['403', status(403, {}), 'auth', 1],
  ['404', status(404, error({ code: 'model_not_found', message: 'x' })), 'not-found', 1],
  ['408', status(408, ''), 'server', REFUSED],
  ['413', status(413, ''), 'too-large', 1],
  ['429', status(429, error({ message: 'slow' })), 'rate-limit', REFUSED],
  ['429, used up', status(429, error({ type: 'usage_limit_reached', message: 'x' })), 'quota', 1],
  ['500', status(500, ''), 'server', REFUSED],
  [
    '500, too long',
    status(500, error({ message: 'maximum context length is 9 tokens' })),
    'context-overflow',
    1,
  ],
  ['502 in HTML', status(502, '<html>', { 'content-type': 'text/html' }), 'server', REFUSED],
  ['503', status(503, error({ code: 'server_is_overloaded', message: 'x' })), 'overloaded', REFUSED],
  ['a connection that is closed', closed, 'connection', BROKEN],
  ['a stream that ends early', ended, 'stream-cut', BROKEN],
  ['a stream that is reset', reset, 'stream-cut', BROKEN],
  ['an event that is no JSON', stream(sse(delta('half')), 'data: {oops\n\n'), 'stream-cut', BROKEN],
  ['no events at all', stream('{oops\n\n'), 'not-an-api', 1],
  ['failed: server_error', failed('server_error'), 'server', BROKEN],
  ['failed: of no known kind', failed('what'), 'server', BROKEN],
  ['failed: rate_limit_exceeded', failed('rate_limit_exceeded'), 'rate-limit', BROKEN],
  ['failed: server_is_overloaded', failed('server_is_overloaded'), 'overloaded', BROKEN],
  ['failed: context_length_exceeded', failed('context_length_exceeded'), 'context-overflow', 1],
  ['failed: insufficient_quota', failed('insufficient_quota'), 'quota', 1],
  ['failed: usage_not_included', failed('usage_not_included'), 'quota', 1],
  ['failed: invalid_prompt', failed('invalid_prompt'), 'bad-request', 1],
  ['failed: model_output_invalid', failed('model_output_invalid'), 'bad-request', 1],
  ['failed: cyber_policy', failed('cyber_policy'), 'bad-request', 1],
  ['failed: content_filter', failed('content_filter'), 'bad-request', 1],
])('%s', async (_what, answer, reason, asked) => {
  const { origin, seen } = await provider(answer);
  const { failure } = await ask(origin, { max: MAX, requestMax: REQUEST_MAX });
  expect(failure).toMatchObject({ reason });
  expect(seen).toHaveLength(asked);
});

test('silence counts as an answer that broke off', async () => {
  const { origin, seen } = await provider(silent);
  const { failure } = await ask(origin, { max: 1, requestMax: 0 }, 500);
  expect(failure).toMatchObject({ reason: 'connection', unreached: false });
  expect(seen).toHaveLength(2);
});

test.each([
  ['Please try again in 11.5s.', 11_500],
  ['Please try again in 200ms.', 200],
  ['Try again in 3 seconds', 3000],
])('a rate limit says when: %s', async (message, wait) => {
  const { origin } = await provider(failed('rate_limit_exceeded', message));
  const { waits } = await ask(origin, { max: 2, requestMax: 0 });
  expect(waits).toEqual([wait, wait]);
});

test('while nobody is there it is tried for minutes, and then ends', async () => {
  const { origin, close } = await provider(silent);
  await close();
  const { failure, waits, time } = await ask(origin, { max: 1, requestMax: 0 });
  expect(failure).toMatchObject({ reason: 'connection', unreached: true });
  expect(waits).toHaveLength(20);
  expect(Math.max(...waits)).toBe(30_000);
  expect(time).toBeGreaterThan(300_000);
  expect(time).toBeLessThan(600_000);
  expect((await ask(origin, { max: 0, requestMax: 4 })).waits).toEqual([]);
});

test('a provider that was away counts from its return', async () => {
  const { origin, close } = await provider(silent);
  await close();
  const port = Number(new URL(origin).port);
  let asked = 0;
  const { createServer } = await import('node:http');
  const server = createServer((_request, response) => {
    asked++;
    response.writeHead(500).end();
  });
  let time = 0;
  const client = withRetries(new ResponsesClient(settings(origin), '1'), {
    max: 2,
    now: () => time,
    sleep: async (ms) => {
      time += ms;
      if (time > 10_000 && !server.listening)
        await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
    },
  });
  const end = collect(client.stream(request(), new AbortController().signal));
  await expect(end).rejects.toMatchObject({ reason: 'server' });
  expect(asked).toBe(3);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});
