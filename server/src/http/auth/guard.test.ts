/** O-F4 and what surrounds it: raw requests and handshakes against a listening server. */
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { cookiesOf, startServer, type TestServer, TOKEN } from '../test-server.test-support.ts';

type Handshake = { host?: string; origin?: string; cookie?: string; authorization?: string };

/** The status a WebSocket upgrade is answered with; 101 when it was let in. */
function upgrade(server: TestServer, headers: Handshake): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/socket`, { headers });
  return new Promise((resolve, reject) => {
    socket.on('unexpected-response', (_request, reply) => {
      resolve(reply.statusCode ?? 0);
      reply.destroy();
    });
    socket.on('open', () => {
      resolve(101);
      socket.terminate();
    });
    socket.on('error', reject);
  });
}

test('O-F4: sockets of other sites are refused, with the best of cookies', async () => {
  const server = await startServer();
  const cookie = await server.login();
  const { port } = server;
  const host = `127.0.0.1:${port}`;
  const refused: [Handshake, number][] = [
    [{ host, origin: 'https://evil.example', cookie }, 403],
    [{ host, origin: 'null', cookie }, 403],
    [{ host: `evil.example:${port}`, origin: `http://evil.example:${port}`, cookie }, 403],
    [{ host, origin: 'http://127.0.0.1:1', cookie }, 403],
    [{ host, cookie }, 403],
    [{ host }, 403],
    [{ host, origin: `http://${host}` }, 401],
    [{ host, authorization: 'Bearer wrong' }, 401],
    [{ host, origin: 'https://evil.example', authorization: `Bearer ${TOKEN}` }, 403],
  ];
  for (const [headers, status] of refused)
    expect([headers, await upgrade(server, headers)]).toEqual([headers, status]);
  expect(await upgrade(server, { host, origin: `http://${host}`, cookie })).toBe(101);
  expect(
    await upgrade(server, { host: `localhost:${port}`, origin: `http://localhost:${port}`, cookie }),
  ).toBe(101);
  expect(await upgrade(server, { host, authorization: `Bearer ${TOKEN}` })).toBe(101);
  expect(server.workspaces.session.calls).toEqual([]);
});

test('O-F4: requests of other sites do nothing and read nothing', async () => {
  const server = await startServer();
  const cookie = await server.login();
  const { id } = server.workspaces.session;
  const post = await server.request('POST', `/api/sessions/${id}/interrupt`, {
    headers: { origin: 'https://evil.example', cookie, 'content-type': 'text/plain' },
    body: 'x',
  });
  expect(post.status).toBe(403);
  expect(JSON.parse(post.text).error).toMatchObject({ code: 'request.origin' });
  expect(post.text).toContain('https://evil.example');
  expect(post.text).toContain('--public-url');

  const read = await server.request('GET', '/api/workspaces/demo/sessions', {
    headers: { cookie, host: `evil.example:${server.port}` },
  });
  expect(read.status).toBe(403);
  expect(read.text).toContain('evil.example');
  expect(read.text).toContain('--allowed-host');
  expect(read.headers['access-control-allow-origin']).toBeUndefined();
  expect(server.workspaces.session.calls).toEqual([]);
});

test('a plain form post is no API request, whoever sends it', async () => {
  const server = await startServer();
  const headers = { origin: server.origin, cookie: await server.login() };
  for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
    const reply = await server.request('POST', '/api/workspaces/demo/sessions', {
      headers: { ...headers, 'content-type': type },
      body: '{}',
    });
    expect(reply.status).toBe(415);
  }
  expect(server.workspaces.created).toEqual([]);
});

test('a declared public URL is an origin and a host of its own', async () => {
  const server = await startServer({ publicUrl: new URL('https://agents.example/x/') });
  const cookie = await server.login();
  const origin = 'https://agents.example';
  expect(await upgrade(server, { host: `127.0.0.1:${server.port}`, origin, cookie })).toBe(101);
  expect(await upgrade(server, { host: 'agents.example', origin, cookie })).toBe(101);
});

test('without a login pages lead to the login page, the API and sockets say 401', async () => {
  const server = await startServer();
  const locations = [];
  for (const path of ['/', '/w/demo/?session=1', '/w/demo/board/', '/w//evil']) {
    const reply = await server.request('GET', path);
    locations.push([reply.status, reply.headers.location]);
  }
  expect(locations).toEqual([
    [302, './login'],
    [302, '../../login?next=%2Fw%2Fdemo%2F%3Fsession%3D1'],
    [302, '../../../login?next=%2Fw%2Fdemo%2Fboard%2F'],
    [302, '../../login'],
  ]);
  for (const path of ['/api/workspaces', '/api/me', '/api/openapi.json', '/api/nothing', '/metrics']) {
    const reply = await server.request('GET', path);
    expect([path, reply.status]).toEqual([path, 401]);
    expect(JSON.parse(reply.text).error.code).toBe('login.needed');
  }
  expect((await server.request('GET', '/healthz')).text).toBe('{"ok":true,"version":"0.0.0"}');
});

test('no token is taken from a query', async () => {
  const server = await startServer();
  const reply = await server.request('GET', `/api/me?token=${TOKEN}`);
  expect(reply.status).toBe(401);
  expect(server.log()).not.toContain(TOKEN);
});

test('without authentication the origin still counts', async () => {
  const server = await startServer({ authRequired: false });
  const host = `127.0.0.1:${server.port}`;
  expect(JSON.parse((await server.request('GET', '/api/me')).text)).toMatchObject({ name: null });
  expect(await upgrade(server, { host, origin: 'https://evil.example' })).toBe(403);
  expect(await upgrade(server, { host, origin: server.origin })).toBe(101);
});

test('with --trust-proxy the address before the proxy counts, not what the client claims', async () => {
  const server = await startServer({ trustProxy: true });
  const tryFrom = (forwarded: string) =>
    server.request('POST', '/api/login', {
      headers: { origin: server.origin, 'x-forwarded-for': forwarded },
      body: { token: 'wrong' },
    });
  for (let i = 0; i < 10; i++) expect((await tryFrom(`1.1.1.${i}, 9.9.9.9`)).status).toBe(401);
  expect((await tryFrom('1.1.1.99, 9.9.9.9')).status).toBe(429);
  expect((await tryFrom('9.9.9.9, 8.8.8.8')).status).toBe(401);
});

test('the address in X-Forwarded-For means nothing otherwise', async () => {
  const server = await startServer();
  const statuses = [];
  for (let i = 0; i < 11; i++) {
    const headers = { origin: server.origin, 'x-forwarded-for': `1.1.1.${i}` };
    statuses.push((await server.request('POST', '/api/login', { headers, body: { token: 'x' } })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429]);
  const late = await server.request('POST', '/api/login', {
    headers: { origin: server.origin },
    body: { token: TOKEN },
  });
  expect(late.status).toBe(429);
  expect(late.headers['retry-after']).toMatch(/^\d+$/);
  expect(JSON.parse(late.text).error.details).toEqual({ retryAfter: Number(late.headers['retry-after']) });
  expect(cookiesOf(late)).toBe('');
});

test('Q50: a browser whose socket is refused may ask why: a post to the same path is judged alike', async () => {
  const server = await startServer();
  const cookie = await server.login();
  const ask = (headers: Record<string, string>) =>
    server.request('POST', '/api/socket', { headers: { cookie, ...headers } });
  expect((await ask({ origin: server.origin })).status).toBe(204);
  expect((await server.request('POST', '/api/socket', { headers: { origin: server.origin } })).status).toBe(
    401,
  );

  const dropped = await ask({ origin: 'https://box.example' });
  expect(dropped.status).toBe(403);
  expect(JSON.parse(dropped.text).error).toMatchObject({
    code: 'request.origin',
    details: { origin: 'https://box.example', host: `127.0.0.1:${server.port}` },
  });
  const invented = await ask({ origin: 'https://box.example', host: 'upstream' });
  expect(JSON.parse(invented.text).error).toMatchObject({
    code: 'request.host',
    details: { host: 'upstream' },
  });
  for (const { text } of [dropped, invented]) expect(text).toContain('proxy_set_header Host $http_host');
});
