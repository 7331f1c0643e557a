import { homedir } from 'node:os';
import type { SessionEvent } from '@tscodex/shared/events';
import type { ServerFrame } from '@tscodex/shared/socket';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { startServer, type TestServer, TOKEN } from '../test-server.test-support.ts';

type Client = { socket: WebSocket; send: (frame: unknown) => void; next: () => Promise<ServerFrame> };

/** A client whose frames are read one by one; the hello has been read. */
async function connect(server: TestServer): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/socket`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  onTestFinished(() => socket.terminate());
  const frames: ServerFrame[] = [];
  const waiting: ((frame: ServerFrame) => void)[] = [];
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as ServerFrame;
    const reader = waiting.shift();
    if (reader) reader(frame);
    else frames.push(frame);
  });
  const next = async () => frames.shift() ?? new Promise<ServerFrame>((resolve) => waiting.push(resolve));
  const send = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  expect(await next()).toEqual({
    type: 'hello',
    protocol: 1,
    heartbeatMs: server.heartbeatMs,
    me: { id: expect.stringMatching(/^[0-9a-f]{16}$/), name: null },
    version: '0.0.0',
    home: homedir(),
  });
  return { socket, send, next };
}

const delta = (seq: number, text: string): SessionEvent => ({
  seq,
  type: 'item.delta',
  itemId: 'i',
  delta: text,
});

test('a subscriber gets a snapshot and then each event, in small frames', async () => {
  const server = await startServer();
  const { session } = server.workspaces;
  const client = await connect(server);
  client.send({ type: 'subscribe', session: session.id });
  expect(await client.next()).toEqual({ type: 'subscribed', session: session.id, sub: 1 });
  expect(await client.next()).toEqual({ type: 'snapshot', sub: 1, ...session.snapshot() });
  session.emit(delta(1, 'a'));
  expect(await client.next()).toEqual({ type: 'events', sub: 1, events: [delta(1, 'a')] });
  session.emit(delta(2, 'b'));
  session.emit(delta(3, 'c'));
  expect(await client.next()).toEqual({ type: 'events', sub: 1, events: [delta(2, 'b'), delta(3, 'c')] });
  client.send({ type: 'unsubscribe', sub: 1 });
  client.send({ type: 'ping' });
  expect(await client.next()).toEqual({ type: 'pong' });
  expect(session.viewers.size).toBe(0);
});

test('O-F1: whoever comes back gets what was missed, with the epoch once', async () => {
  const server = await startServer();
  const { session } = server.workspaces;
  const client = await connect(server);
  client.send({ type: 'subscribe', session: session.id, epoch: session.epoch, after: 7 });
  expect(await client.next()).toMatchObject({ type: 'subscribed', sub: 1 });
  expect(await client.next()).toEqual({ type: 'events', sub: 1, epoch: session.epoch, events: [] });
  session.emit(delta(8, 'x'));
  expect(await client.next()).toEqual({ type: 'events', sub: 1, events: [delta(8, 'x')] });
  expect(session.calls[0]).toEqual(['subscribe', { epoch: session.epoch, after: 7 }]);
});

test('what is no frame is answered and the socket goes on', async () => {
  const server = await startServer();
  const client = await connect(server);
  const nonsense = [
    '{',
    '[]',
    '"ping"',
    '{"type":"shout"}',
    '{"type":"subscribe","session":5}',
    Buffer.from([1, 2]),
  ];
  for (const frame of nonsense) {
    client.socket.send(frame);
    expect(await client.next()).toMatchObject({ type: 'error', code: 'socket.frame' });
  }
  client.send({ type: 'subscribe', session: 'none' });
  expect(await client.next()).toEqual({
    type: 'error',
    code: 'session.unknown',
    message: 'There is no session none.',
    ref: 'none',
  });
  client.send({ type: 'ping' });
  expect(await client.next()).toEqual({ type: 'pong' });
});

test('one socket follows up to 64 sessions', async () => {
  const server = await startServer();
  const { session } = server.workspaces;
  const client = await connect(server);
  for (let i = 0; i < 65; i++) client.send({ type: 'subscribe', session: session.id });
  const errors = [];
  for (let i = 0; i < 129; i++) {
    const frame = await client.next();
    if (frame.type === 'error') errors.push(frame);
  }
  expect(errors).toMatchObject([{ code: 'socket.subscriptions', ref: session.id }]);
  client.socket.close();
  await expect.poll(() => session.viewers.size).toBe(0);
});

test('a session that ends says so', async () => {
  const server = await startServer();
  const { session } = server.workspaces;
  const client = await connect(server);
  client.send({ type: 'subscribe', session: session.id });
  await client.next();
  await client.next();
  for (const viewer of session.viewers) viewer.ended('The session was closed.');
  expect(await client.next()).toEqual({
    type: 'error',
    code: 'session.ended',
    message: 'The session was closed.',
    ref: session.id,
  });
});

test('the overview comes at once, then when it has changed, joined', async () => {
  const server = await startServer();
  const { workspaces } = server;
  const client = await connect(server);
  client.send({ type: 'overview' });
  expect(await client.next()).toEqual({ type: 'overview', workspaces: workspaces.list() });
  expect(await client.next()).toEqual({ type: 'people', people: [], more: 0 });
  for (const version of ['1', '2', '3']) {
    workspaces.boardVersion = version;
    workspaces.changed();
  }
  expect(await client.next()).toMatchObject({ workspaces: [{ board: { version: '3' } }] });
  workspaces.changed();
  workspaces.boardVersion = '4';
  workspaces.changed();
  expect(await client.next()).toMatchObject({ workspaces: [{ board: { version: '4' } }] });
});

test('an overview that is as it once was is news to who knew another', async () => {
  const server = await startServer();
  const { workspaces } = server;
  const versions = (frame: ServerFrame) =>
    frame.type === 'overview' && frame.workspaces.map(({ board }) => board.version);
  const change = (version: string) => {
    workspaces.boardVersion = version;
    workspaces.changed();
  };
  const first = await connect(server);
  first.send({ type: 'overview' });
  await first.next();
  await first.next();
  change('1');
  expect(versions(await first.next())).toEqual(['1']);
  first.socket.terminate();
  await expect.poll(() => server.app.websocketServer.clients.size).toBe(0);
  change('2');
  const second = await connect(server);
  second.send({ type: 'overview' });
  expect(versions(await second.next())).toEqual(['2']);
  await second.next();
  change('1');
  expect(versions(await second.next())).toEqual(['1']);
});

test('the server shows life, and gives up on a client that shows none', async () => {
  const server = await startServer({ heartbeatMs: 30 });
  const client = await connect(server);
  expect(await client.next()).toEqual({ type: 'pong' });
  expect(await client.next()).toEqual({ type: 'pong' });
  const closed = new Promise((resolve) => [...server.app.websocketServer.clients][0]?.once('close', resolve));
  client.socket.pause();
  await closed;
});

test('a viewer that does not read costs the server nothing and is caught up later', async () => {
  const server = await startServer();
  const { session } = server.workspaces;
  const client = await connect(server);
  client.send({ type: 'subscribe', session: session.id });
  await client.next();
  await client.next();
  client.socket.pause();
  const [onServer] = server.app.websocketServer.clients;
  let highest = 0;
  const text = 'x'.repeat(10_000);
  for (let seq = 1; seq <= 3000; seq++) {
    session.emit(delta(seq, text));
    highest = Math.max(highest, onServer?.bufferedAmount ?? 0);
    // lets the kernel take what it can
    if (seq % 100 === 0) await new Promise(setImmediate);
  }
  expect(highest).toBeLessThan(100_000);
  client.socket.resume();
  let seen = 0;
  while (seen < 3000) {
    const frame = await client.next();
    if (frame.type === 'snapshot') seen = frame.seq;
    if (frame.type !== 'events') continue;
    for (const event of frame.events) {
      const joined = event.type === 'item.delta' ? (event.joined ?? 1) : 1;
      expect(event.seq - joined).toBe(seen);
      seen = event.seq;
    }
  }
  expect(seen).toBe(3000);
});
