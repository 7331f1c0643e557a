import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { textFrame } from './text-frame.ts';

test('a client reads what was framed, whatever its length', async () => {
  const texts = [
    '',
    'a',
    'é😀',
    'x'.repeat(125),
    'x'.repeat(126),
    'y'.repeat(65_535),
    'y'.repeat(65_536),
    'z'.repeat(300_000),
  ];
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket, { socket: stream }) => {
    // between messages of the library's own
    for (const text of texts) {
      stream.write(textFrame(text));
      socket.send('between');
    }
    socket.close();
  });
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const received: string[] = [];
  client.on('message', (data) => received.push(data.toString()));
  await once(client, 'close');
  expect(received).toEqual(texts.flatMap((text) => [text, 'between']));
  sockets.close();
  server.close();
});
