import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { cookiesOf, memoryLogins, startServer, TOKEN } from '../test-server.test-support.ts';

test('the cookie is bound to this instance, hidden from scripts and other sites', async () => {
  const server = await startServer();
  const reply = await server.request('POST', '/api/login', {
    headers: { origin: server.origin },
    body: { token: TOKEN, name: '  Ada ' },
  });
  const ada = { id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'Ada' };
  expect(JSON.parse(reply.text)).toEqual(ada);
  const [login = '', device = ''] = reply.headers['set-cookie'] ?? [];
  expect(login).toMatch(
    /^tscodex_login_[0-9a-f]{10}=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/,
  );
  expect(device).toMatch(/^tscodex_device_[0-9a-f]{10}=/);
  const me = await server.request('GET', '/api/me', { headers: { cookie: cookiesOf(reply) } });
  expect(me.text).toBe(reply.text);
});

test('the cookie is Secure on HTTPS and stays below the base path', async () => {
  const publicUrl = new URL('https://agents.example/x/agent/');
  const server = await startServer({ publicUrl, basePath: '/x/agent' });
  const reply = await server.request('POST', '/x/agent/api/login', {
    headers: { origin: publicUrl.origin },
    body: { token: TOKEN },
  });
  expect(reply.headers['set-cookie']?.[0]).toContain('; Path=/x/agent; HttpOnly; Secure; SameSite=Strict');
});

test('the store holds no cookie, and a login survives a restart', async () => {
  const logins = memoryLogins();
  const before = await startServer({ logins });
  const cookie = await before.login('Ada');
  const value = /tscodex_login_\w+=([\w-]+)/.exec(cookie)?.[1] ?? '';
  expect(JSON.stringify([...logins.rows.values()])).not.toContain(value);
  const after = await startServer({ logins });
  const me = await after.request('GET', '/api/me', { headers: { cookie } });
  expect(JSON.parse(me.text)).toMatchObject({ name: 'Ada' });
});

test('a changed password ends every login', async () => {
  const logins = memoryLogins();
  const before = await startServer({ logins, password: 'old' });
  const headers = { origin: before.origin };
  const reply = await before.request('POST', '/api/login', { headers, body: { password: 'old' } });
  const cookie = cookiesOf(reply);
  const same = await startServer({ logins, password: 'old' });
  expect((await same.request('GET', '/api/me', { headers: { cookie } })).status).toBe(200);
  const changed = await startServer({ logins, password: 'new' });
  expect((await changed.request('GET', '/api/me', { headers: { cookie } })).status).toBe(401);
});

test('with a password the token opens nothing, and any password may be used', async () => {
  const password = 'Möwe 🐦 "quoted"';
  const server = await startServer({ password });
  const login = (body: object) =>
    server.request('POST', '/api/login', { headers: { origin: server.origin }, body });
  expect((await login({ token: TOKEN })).status).toBe(401);
  expect((await login({ password: 'Mowe' })).status).toBe(401);
  expect((await login({ password })).status).toBe(200);
  const authorization = Buffer.from(`Bearer ${password}`).toString('latin1');
  expect((await server.request('GET', '/api/me', { headers: { authorization } })).status).toBe(200);
});

test('logging out ends the login and the sockets it has opened', async () => {
  const server = await startServer();
  const cookie = await server.login();
  const headers = { origin: server.origin, cookie };
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/socket`, { headers });
  await once(socket, 'open');
  const closed = once(socket, 'close');
  const reply = await server.request('POST', '/api/logout', { headers });
  expect(reply.status).toBe(204);
  expect(reply.headers['set-cookie']?.[0]).toMatch(/^tscodex_login_\w+=;.*Expires=Thu, 01 Jan 1970/);
  expect((await closed)[0]).toBe(4401);
  expect((await server.request('GET', '/api/me', { headers })).status).toBe(401);
});

test('a browser that has logged in before is not held up by strangers', async () => {
  const server = await startServer();
  const device = (await server.login()).split('; ')[1] ?? '';
  const attempt = (token: string, cookie = '') =>
    server.request('POST', '/api/login', { headers: { origin: server.origin, cookie }, body: { token } });
  for (let i = 0; i < 11; i++) await attempt('wrong');
  expect((await attempt(TOKEN)).status).toBe(429);
  expect((await attempt(TOKEN, `${device}x`)).status).toBe(429);
  expect((await attempt(TOKEN, device)).status).toBe(200);
});

test('bad bodies get a sentence', async () => {
  const server = await startServer();
  const login = async (body: string | Buffer | object) => {
    const headers = { origin: server.origin, 'content-type': 'application/json' };
    const reply = await server.request('POST', '/api/login', { headers, body });
    return [reply.status, JSON.parse(reply.text).error.code];
  };
  expect(await login('{"token":')).toEqual([400, 'request.json']);
  expect(await login('')).toEqual([400, 'request.invalid']);
  expect(await login(Buffer.from([0x22, 0xff, 0x22]))).toEqual([400, 'request.encoding']);
  expect(await login({})).toEqual([400, 'login.empty']);
  expect(await login({ token: 5 })).toEqual([400, 'request.invalid']);
  expect(await login({ token: 'a', extra: 1 })).toEqual([400, 'request.invalid']);
  expect(await login('{"token":"a","__proto__":{}}')).toEqual([400, 'request.json']);
});
