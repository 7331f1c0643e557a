/** A provider for tests: a real HTTP server on a free port that answers as told and remembers what it was asked. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import type { ProviderSettings } from '../base/config/model-config.ts';
import { userText } from '../base/response-items.ts';
import type { ModelEvent, ModelRequest } from './client.ts';

export type Seen = {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
};
export type Answer = (response: ServerResponse, n: number) => void;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

export async function provider(answer: Answer) {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      const body = text === '' ? {} : JSON.parse(text);
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      answer(response, seen.length);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((done) => server.close(done));
  };
  closers.push(close);
  const { port } = server.address() as AddressInfo;
  return { seen, origin: `http://127.0.0.1:${port}`, close };
}

export function settings(baseUrl: string, more: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    id: 'test',
    baseUrl,
    queryParams: {},
    apiKey: () => 'sk-secret-key',
    headers: () => ({}),
    maxRetries: 5,
    requestMaxRetries: 4,
    idleTimeoutMs: 10_000,
    ...more,
  };
}

export const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  model: 'm1',
  instructions: 'Be brief.',
  input: [userText('hi')],
  tools: [],
  cacheKey: 'session-1',
  ...more,
});

export const sse = (...events: unknown[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

export const stream =
  (...chunks: (string | Uint8Array)[]): Answer =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const chunk of chunks) {
      response.write(chunk);
      await new Promise((next) => setImmediate(next));
    }
    response.end();
  };

export const status =
  (code: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end(text);
  };

export async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

export const delta = (text: string) => ({
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  delta: text,
});
export const message = (text: string) => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
export const done = (item: unknown) => ({ type: 'response.output_item.done', output_index: 0, item });
export const completed = (output: unknown[] = []) => ({
  type: 'response.completed',
  response: { id: 'r1', output, usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
});
