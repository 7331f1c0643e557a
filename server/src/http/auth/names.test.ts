import type { ServerFrame } from '@tscodex/shared/socket';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { cookiesOf, memoryLogins, startServer, type TestServer, TOKEN } from '../test-server.test-support.ts';

const put = (server: TestServer, headers: Record<string, string>, body: unknown) =>
  server.request('PUT', '/api/me', { headers: { origin: server.origin, ...headers }, body });

/** The frames of a socket, in order. */
async function socketOf(server: TestServer, headers: Record<string, string>): Promise<ServerFrame[]> {
  return (await openSocket(server, headers)).frames;
}

async function openSocket(server: TestServer, headers: Record<string, string>) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/socket`, {
    headers: { origin: server.origin, ...headers },
  });
  onTestFinished(() => socket.terminate());
  const frames: ServerFrame[] = [];
  socket.on('message', (data) => frames.push(JSON.parse(String(data))));
  await expect.poll(() => frames.length).toBe(1);
  return { socket, frames };
}

test('a name is kept with the login, and every open page of it learns it', async () => {
  const logins = memoryLogins();
  const server = await startServer({ logins });
  const cookie = await server.login('Ada');
  const other = await server.login('Grace');
  const frames = await socketOf(server, { cookie });
  const { socket: otherSocket, frames: otherFrames } = await openSocket(server, { cookie: other });
  const reply = await put(server, { cookie }, { name: ' Ada  Lovelace ' });
  const me = { id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'Ada Lovelace' };
  expect([reply.status, JSON.parse(reply.text)]).toEqual([200, me]);
  await expect.poll(() => frames[1]).toEqual({ type: 'me', me });
  expect(frames[0]).toMatchObject({ me: { id: JSON.parse(reply.text).id } });
  otherSocket.send('{"type":"ping"}');
  await expect.poll(() => otherFrames[1]).toEqual({ type: 'pong' });

  const restarted = await startServer({ logins });
  const nameOf = async (cookie: string) =>
    JSON.parse((await restarted.request('GET', '/api/me', { headers: { cookie } })).text).name;
  expect([await nameOf(cookie), await nameOf(other)]).toEqual(['Ada Lovelace', 'Grace']);
});

test('later inputs, answers, stops and continuations carry the new name; a body cannot claim one', async () => {
  const server = await startServer();
  const { session } = server.workspaces;
  const cookie = await server.login('Ada');
  const post = (path: string, body: object) =>
    server.request('POST', `/api/sessions/${session.id}/${path}`, {
      headers: { origin: server.origin, cookie },
      body,
    });
  const input = { id: '00000000-0000-4000-8000-000000000001', text: 'x' };
  await post('inputs', input);
  await put(server, { cookie }, { name: 'Grace' });
  await post('inputs', input);
  await post('asks/a', { choice: 'once' });
  await post('interrupt', {});
  await post('resume', {});
  const names = session.calls.map(([call, ...args]) => [call, args.at(-1)]);
  expect(names).toEqual([
    ['submit', 'Ada'],
    ['submit', 'Grace'],
    ['answer', 'Grace'],
    ['interrupt', 'Grace'],
    ['resume', 'Grace'],
  ]);
  expect((await post('inputs', { ...input, author: 'Bob' })).status).toBe(400);
  expect((await post('asks/a', { choice: 'once', by: 'Bob' })).status).toBe(400);
});

test('what is no name gets a sentence and changes nothing', async () => {
  const server = await startServer();
  const cookie = await server.login('Ada');
  const refused = async (name: unknown) => {
    const reply = await put(server, { cookie }, { name });
    return [reply.status, JSON.parse(reply.text).error.message];
  };
  const long = [400, 'body: name: a name has at most 60 characters'];
  const invisible = [400, 'body: name: a name holds no invisible characters'];
  expect(await refused('x'.repeat(300))).toEqual(long);
  expect(await refused('   ')).toEqual([400, 'body: name: a name needs at least one character']);
  for (const name of ['A\u0000da', 'A\u001bda', 'A\u202eda', 'A\u200bda', 'A\u2066da', '\ud800', '\u3164'])
    expect(await refused(name)).toEqual(invisible);
  expect((await refused(5))[0]).toBe(400);
  expect((await put(server, { cookie }, { name: 'Bob', id: 'x' })).status).toBe(400);
  const me = await server.request('GET', '/api/me', { headers: { cookie } });
  expect(JSON.parse(me.text).name).toBe('Ada');
});

test('HTML is a name like any other', async () => {
  const server = await startServer();
  const cookie = await server.login();
  const name = '<img src=x onerror=alert(1)>';
  expect(JSON.parse((await put(server, { cookie }, { name })).text).name).toBe(name);
});

test('a login with a name that is none goes ahead without it', async () => {
  const server = await startServer();
  const body = { token: TOKEN, name: 'x'.repeat(300) };
  const reply = await server.request('POST', '/api/login', { headers: { origin: server.origin }, body });
  expect([reply.status, JSON.parse(reply.text).name]).toEqual([200, null]);
});

test('nobody names a login that is not theirs', async () => {
  const server = await startServer();
  const cookie = await server.login('Ada');
  expect((await put(server, {}, { name: 'Bob' })).status).toBe(401);
  expect((await put(server, { cookie, origin: 'https://evil.example' }, { name: 'Bob' })).status).toBe(403);
});

test('a program says its name with each request', async () => {
  const server = await startServer();
  const authorization = `Bearer ${TOKEN}`;
  const nameOf = async (name?: string) => {
    const headers = {
      authorization,
      ...(name === undefined ? {} : { 'x-tscodex-name': Buffer.from(name).toString('latin1') }),
    };
    const reply = await server.request('GET', '/api/me', { headers });
    return JSON.parse(reply.text).name ?? JSON.parse(reply.text).error?.message ?? null;
  };
  expect(await nameOf()).toBeNull();
  expect(await nameOf('nightly 夜')).toBe('nightly 夜');
  expect(await nameOf('x'.repeat(61))).toBe(
    'The header x-tscodex-name holds no name: a name has at most 60 characters.',
  );
  const reply = await put(server, { authorization }, { name: 'Bob' });
  expect([reply.status, JSON.parse(reply.text).error.code]).toEqual([400, 'name.program']);
  const cookie = await server.login('Ada');
  const other = await server.request('GET', '/api/me', { headers: { cookie, 'x-tscodex-name': 'Bob' } });
  expect(JSON.parse(other.text).name).toBe('Ada');
});

test('without authentication a browser has an id and a name in a cookie of its own', async () => {
  const server = await startServer({ authRequired: false });
  const visit = async (cookie = '') => {
    const reply = await server.request('GET', '/', { headers: { cookie } });
    return cookiesOf(reply);
  };
  const meOf = async (cookie: string) =>
    JSON.parse((await server.request('GET', '/api/me', { headers: { cookie } })).text);
  const first = await visit();
  const second = await visit();
  expect(first).toMatch(/^tscodex_guest_[0-9a-f]{10}=[0-9a-f-]{36}\.$/);
  expect(await visit(first)).toBe('');
  expect((await meOf(first)).id).not.toBe((await meOf(second)).id);

  const frames = await socketOf(server, { cookie: first });
  const reply = await put(server, { cookie: first }, { name: 'Ada 夜' });
  expect(reply.headers['set-cookie']?.[0]).toMatch(/; HttpOnly; SameSite=Lax$/);
  const named = cookiesOf(reply);
  expect(await meOf(named)).toEqual({ id: (await meOf(first)).id, name: 'Ada 夜' });
  await expect.poll(() => frames[1]).toMatchObject({ type: 'me', me: { name: 'Ada 夜' } });
  for (const nonsense of ['x', `${named}.`, `${first}${Buffer.from('a\u202eb').toString('base64url')}`])
    expect((await meOf(nonsense)).name).toBeNull();

  const closed = await startServer();
  expect((await closed.request('GET', '/api/me', { headers: { cookie: named } })).status).toBe(401);
});

test('without authentication nobody without a cookie names or ends the others without one', async () => {
  const server = await startServer({ authRequired: false });
  const { socket, frames } = await openSocket(server, {});
  const reply = await put(server, {}, { name: 'Ada' });
  expect([reply.status, JSON.parse(reply.text).name]).toEqual([200, 'Ada']);
  const me = await server.request('GET', '/api/me', { headers: { cookie: cookiesOf(reply) } });
  expect(JSON.parse(me.text)).toEqual(JSON.parse(reply.text));
  await server.request('POST', '/api/logout', { headers: { origin: server.origin }, body: {} });
  socket.send('{"type":"ping"}');
  await expect.poll(() => frames[1]).toEqual({ type: 'pong' });
});

test('the logout of a program closes no socket of others', async () => {
  const server = await startServer();
  const authorization = `Bearer ${TOKEN}`;
  const { socket, frames } = await openSocket(server, { authorization });
  const reply = await server.request('POST', '/api/logout', { headers: { authorization }, body: {} });
  expect(reply.status).toBe(204);
  socket.send('{"type":"ping"}');
  await expect.poll(() => frames[1]).toEqual({ type: 'pong' });
});
