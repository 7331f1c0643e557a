import http from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../base/database.ts';
import { migrations } from '../base/migrations.ts';
import { GIF, png } from '../base/pictures.test-support.ts';
import { Attachments } from '../runtime/attachments/attachments.ts';
import { startServer, temporaryDirectory } from './test-server.test-support.ts';

const at = '/api/workspaces/demo/attachments';

async function open() {
  const server = await startServer();
  const dir = await temporaryDirectory();
  const db = openDatabase(join(dir, 'state.sqlite'), { migrations, warn: () => undefined });
  onTestFinished(() => db.close());
  server.workspaces.images = new Attachments(db, dir, 'demo');
  const login = { origin: server.origin, cookie: await server.login('Ada') };
  return {
    server,
    put: async (bytes: Buffer | string, { name = 'a.png', type = 'image/png', path = at } = {}) => {
      const headers = { ...login, ...(type ? { 'content-type': type } : {}) };
      const query = `?name=${encodeURIComponent(name)}`;
      const reply = await server.request('POST', path + query, { headers, body: Buffer.from(bytes) });
      return { status: reply.status, ...JSON.parse(reply.text) };
    },
    get: (path: string, headers = login) => server.request('GET', path, { headers }),
  };
}

test('an image that is put up is answered with what it is, and comes back byte by byte', async () => {
  const { put, get } = await open();
  const { status, attachment } = await put(GIF, { name: 'moves.gif', type: 'image/png' });
  expect([status, attachment]).toEqual([
    201,
    { id: attachment.id, name: 'moves.gif', mediaType: 'image/gif', bytes: GIF.length, width: 1, height: 1 },
  ]);
  const { status: found, headers, text } = await get(`${at}/${attachment.id}`);
  expect(found).toBe(200);
  expect(text).toBe(GIF.toString());
  expect(headers).toMatchObject({
    'content-type': 'image/gif',
    'content-length': `${GIF.length}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="moves.gif"; filename*=UTF-8''moves.gif`,
    'cross-origin-resource-policy': 'same-origin',
  });
});

test('O-F5: any name survives in the header and none breaks it', async () => {
  const { put, get } = await open();
  const names: Record<string, string> = {
    '要求.txt': `filename="__.txt"; filename*=UTF-8''%E8%A6%81%E6%B1%82.txt`,
    'a"b;c.txt': `filename="a_b;c.txt"; filename*=UTF-8''a%22b%3Bc.txt`,
    'emoji 🌍.txt': `filename="emoji __.txt"; filename*=UTF-8''emoji%20%F0%9F%8C%8D.txt`,
    'new\r\nx-evil: 1': `filename="new  x-evil: 1"; filename*=UTF-8''new%20%20x-evil%3A%201`,
    '100%.txt': `filename="100_.txt"; filename*=UTF-8''100%25.txt`,
    '..hidden': `filename="..hidden"; filename*=UTF-8''..hidden`,
    "it's.txt": `filename="it's.txt"; filename*=UTF-8''it%27s.txt`,
  };
  for (const [name, header] of Object.entries(names)) {
    const { attachment } = await put(GIF, { name });
    const { headers } = await get(`${at}/${attachment.id}`);
    expect(headers['content-disposition']).toBe(`inline; ${header}`);
    expect(headers).not.toHaveProperty('x-evil');
  }
});

test('what is no image is refused with what would be one, whatever it calls itself', async () => {
  const { put } = await open();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>';
  for (const type of ['image/png', 'image/svg+xml', 'application/pdf', 'text/plain', 'multipart/form-data'])
    expect(await put(svg, { name: 'x', type })).toMatchObject({
      status: 415,
      error: { code: 'image.type', message: expect.stringContaining('PNG, JPEG, WebP or GIF') },
    });
  expect(await put(png(50, 50).subarray(0, 50))).toMatchObject({
    status: 400,
    error: { code: 'image.broken' },
  });
  expect(await put(png(100_000, 100_000))).toMatchObject({ status: 413, error: { code: 'image.pixels' } });
});

test('200 MB are refused with a sentence before they are sent, and at the limit where nobody said so', async () => {
  const { server, put } = await open();
  const cookie = await server.login();
  const ask = (headers: http.OutgoingHttpHeaders, write: (request: http.ClientRequest) => void) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const options = { host: '127.0.0.1', port: server.port, method: 'POST', path: `${at}?name=huge.png` };
      const all = { 'content-type': 'image/png', origin: server.origin, cookie, ...headers };
      const request = http.request({ ...options, headers: all, agent: false }, async (reply) => {
        const chunks = await reply.toArray();
        resolve({ status: reply.statusCode, text: Buffer.concat(chunks).toString() });
        request.destroy();
      });
      request.on('error', reject);
      write(request);
    });
  const said = { status: 413, text: expect.stringContaining('huge.png is larger than 8 MiB') };
  expect(await ask({ 'content-length': 200_000_000 }, (request) => request.flushHeaders())).toEqual(said);
  const nine = Buffer.alloc(9 * 1024 * 1024);
  expect(await ask({ 'transfer-encoding': 'chunked' }, (request) => request.write(nine))).toEqual(said);
  expect((await put(GIF)).status).toBe(201);
});

test('only so many images arrive at once; the others are told when to come again', async () => {
  const { server, put } = await open();
  const cookie = await server.login();
  const headers = { 'content-type': 'image/png', 'content-length': 1000, origin: server.origin, cookie };
  const options = { host: '127.0.0.1', port: server.port, method: 'POST', path: at, headers, agent: false };
  const slow = Array.from({ length: 32 }, () => http.request(options));
  for (const request of slow) {
    request.on('error', () => undefined);
    request.write('x');
  }
  const busy = { status: 429, error: { code: 'image.busy', details: { retryAfter: 5 } } };
  await expect.poll(() => put(GIF)).toMatchObject(busy);
  for (const request of slow) request.destroy();
  await expect.poll(async () => (await put(GIF)).status).toBe(201);
});

test('only ids of images of that workspace lead anywhere', async () => {
  const { server, put, get } = await open();
  const { attachment } = await put(GIF);
  const id: string = attachment.id;
  const wrong = [
    ...['..%2f..%2ftoken', '%2e%2e%2fstate.sqlite', `${id}%00`, `${id}.part`, `${id}%2f..`, id.slice(1)],
    ...['', 'x', id.repeat(20), '0'.repeat(36)],
  ];
  for (const path of wrong)
    expect([path, [400, 404, 414].includes((await get(`${at}/${path}`)).status)]).toEqual([path, true]);
  expect((await get(`${at}/01970000-0000-7000-8000-000000000001`)).status).toBe(404);
  expect((await get(`/api/workspaces/other/attachments/${id}`)).status).toBe(404);
  expect((await put(GIF, { path: '/api/workspaces/other/attachments' })).status).toBe(404);
  expect((await server.request('GET', `${at}/${id}`)).status).toBe(401);
  const stranger = {
    origin: 'http://evil.example',
    cookie: await server.login(),
    'content-type': 'image/png',
  };
  expect((await server.request('POST', at, { headers: stranger, body: GIF })).status).toBe(403);
});
