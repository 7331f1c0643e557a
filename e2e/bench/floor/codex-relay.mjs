/**
 * The floor for a session on Codex: passes each line of its app-server on to every WebSocket client, with nothing in
 * between; what a client says begins a turn. usage: codex-relay.mjs PROGRAM, in the directory it works in
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocketServer } from 'ws';

const codex = spawn(process.argv[2], ['app-server', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
const waiting = new Map();
let count = 0;

const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0 });
createInterface({ input: codex.stdout }).on('line', (line) => {
  for (const client of sockets.clients) client.send(line);
  if (waiting.size === 0) return;
  const { id, method, result } = JSON.parse(line);
  if (method !== undefined) return;
  waiting.get(id)?.(result);
  waiting.delete(id);
});

function send(message) {
  codex.stdin.write(`${JSON.stringify(message)}\n`);
}

function call(method, params) {
  const id = count++;
  send({ id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const clientInfo = { name: 'bench', title: null, version: '0.0.0' };
await call('initialize', { clientInfo, capabilities: { experimentalApi: true, requestAttestation: false } });
send({ method: 'initialized' });
const { thread } = await call('thread/start', { cwd: process.cwd() });
sockets.on('connection', (socket) =>
  socket.on('message', (text) => {
    const input = [{ type: 'text', text: String(text), text_elements: [] }];
    void call('turn/start', { threadId: thread.id, input });
  }),
);
process.send?.({ port: sockets.address().port });
process.on('SIGTERM', () => {
  codex.once('exit', () => process.exit(0));
  codex.stdin.end();
});
