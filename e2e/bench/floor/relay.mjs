/**
 * The floor for delivery and for the page: passes the model's text on to every WebSocket client and serves a page
 * that renders it, with nothing in between. usage: relay.mjs MODEL_URL
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { WebSocketServer } from 'ws';

const [, , modelUrl] = process.argv;
const page = readFileSync(new URL('page.html', import.meta.url));
const marked = readFileSync(
  createRequire(import.meta.url)
    .resolve('marked')
    .replace('marked.esm', 'marked.umd'),
);

const server = createServer((request, response) => {
  const script = request.url === '/marked.js';
  response.setHeader('content-type', script ? 'text/javascript' : 'text/html; charset=utf-8');
  response.end(script ? marked : page);
});
const sockets = new WebSocketServer({ server });
sockets.on('connection', (socket) => socket.on('message', (prompt) => relay(String(prompt))));
server.listen(0, '127.0.0.1', () => process.send?.({ port: server.address().port }));

async function relay(prompt) {
  const body = JSON.stringify({ model: 'floor', stream: true, input: [{ role: 'user', content: prompt }] });
  const response = await fetch(`${modelUrl}/responses`, { method: 'POST', body });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const { type, delta } = JSON.parse(text.slice(text.indexOf('data: ') + 6, end));
      text = text.slice(end + 2);
      if (type === 'response.output_text.delta') broadcast({ delta });
      if (type === 'response.completed') broadcast({ done: true });
    }
  }
}

function broadcast(frame) {
  const text = JSON.stringify(frame);
  for (const client of sockets.clients) client.send(text);
}
