/** Many viewers that only listen, in a process of their own: what they cost is not the measurement's. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { stop } from './processes.mjs';

/**
 * @param {{url: string, headers?: object, greeting?: string}} place where they listen; who sends a greeting is there
 * once a snapshot has come
 * @returns {Promise<{leave(): Promise<void>}>} once all of them are there
 */
export async function gather(place, count) {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify({ ...place, count })]);
  await once(child, 'message');
  return { leave: () => stop(child) };
}

/** As many as connect at the same time. */
const TOGETHER = 50;

async function listen({ count, ...place }) {
  for (let n = 0; n < count; n += TOGETHER)
    await Promise.all(Array.from({ length: Math.min(TOGETHER, count - n) }, () => join(place)));
  process.send('there');
}

async function join({ url, headers, greeting }) {
  const socket = new WebSocket(url, { headers });
  await once(socket, 'open');
  if (greeting === undefined) return;
  socket.send(greeting);
  await new Promise((resolve) => {
    const onMessage = (data) => {
      if (!String(data).startsWith('{"type":"snapshot"')) return;
      socket.off('message', onMessage);
      resolve();
    };
    socket.on('message', onMessage);
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await listen(JSON.parse(process.argv[2]));
