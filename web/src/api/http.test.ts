import { afterEach, expect, test, vi } from 'vitest';
import { Api, ApiProblem, urlPath } from './http.ts';

afterEach(() => vi.unstubAllGlobals());

function apiAnswering(answer: () => Response | Promise<Response>) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => answer());
  const loggedOut = vi.fn();
  vi.stubGlobal('fetch', fetch);
  return { api: new Api(new URL('http://box/x/agent/'), loggedOut), fetch, loggedOut };
}

const failed = (status: number, code: string, headers?: Record<string, string>) =>
  Response.json({ error: { code, message: `${code} happened`, details: { a: 1 } } }, { status, headers });

test('requests stay below the base path and carry JSON', async () => {
  const { api, fetch } = apiAnswering(() => Response.json({ workspaces: [] }));
  expect(await api.json('POST', urlPath('api', 'sessions', 'a/b', 'inputs'), { text: '嗨' })).toEqual({
    workspaces: [],
  });
  const [url, init] = fetch.mock.calls[0] ?? [];
  expect(String(url)).toBe('http://box/x/agent/api/sessions/a%2Fb/inputs');
  expect(init).toEqual({
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: '{"text":"嗨"}',
  });
});

test('an answer without a body is undefined', async () => {
  const { api } = apiAnswering(() => new Response(null, { status: 204 }));
  expect(await api.json('DELETE', 'api/sessions/1')).toBeUndefined();
});

test('a failure keeps code, sentence, status and details', async () => {
  const { api, loggedOut } = apiAnswering(() => failed(409, 'ask.closed'));
  const problem = await api.json('GET', 'api/x').catch((error: unknown) => error);
  expect(problem).toBeInstanceOf(ApiProblem);
  expect(problem).toMatchObject({
    code: 'ask.closed',
    message: 'ask.closed happened',
    status: 409,
    details: { a: 1 },
    retryAfter: null,
  });
  expect(loggedOut).not.toHaveBeenCalled();
});

test('401 leads to the login, but not from the login', async () => {
  const { api, loggedOut } = apiAnswering(() => failed(401, 'auth.required'));
  await expect(api.json('GET', 'api/x')).rejects.toMatchObject({ status: 401 });
  expect(loggedOut).toHaveBeenCalledTimes(1);
  await expect(api.login({ password: 'no' })).rejects.toMatchObject({ status: 401 });
  expect(loggedOut).toHaveBeenCalledTimes(1);
});

test('429 says how long to wait', async () => {
  const { api } = apiAnswering(() => failed(429, 'auth.throttled', { 'retry-after': '7' }));
  await expect(api.login({ token: 'x' })).rejects.toMatchObject({ status: 429, retryAfter: 7 });
});

test('no answer, a broken answer and a foreign answer are problems too', async () => {
  const gone = apiAnswering(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(gone.api.json('GET', 'api/x')).rejects.toMatchObject({ code: 'network', status: 0 });
  const html = apiAnswering(() => new Response('<h1>Bad gateway</h1>', { status: 502 }));
  await expect(html.api.json('GET', 'api/x')).rejects.toMatchObject({ code: 'http.unreadable', status: 502 });
  const fine = apiAnswering(() => new Response('<h1>Hotel Wi-Fi</h1>'));
  await expect(fine.api.json('GET', 'api/x')).rejects.toMatchObject({ code: 'http.unreadable', status: 200 });
});

test('Q50: what a proxy answers by itself names what to set there', async () => {
  const answered = (status: number) =>
    apiAnswering(() => new Response('<h1>nginx</h1>', { status }))
      .api.json('POST', 'api/x')
      .catch((problem: ApiProblem) => problem.message);
  expect(await answered(413)).toContain('client_max_body_size');
  expect(await answered(504)).toContain('does not reach the server');
});
