/** O-F6: the page, and everything below it, behind a path prefix. */
import { mkdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { AppOptions } from './app.ts';
import {
  cookiesOf,
  rawRequest,
  startServer,
  type TestServer,
  TOKEN,
  temporaryDirectory,
} from './test-server.test-support.ts';

const html =
  '<!doctype html><html><head><title>t</title></head><script src="./assets/a-1.js"></script></html>';

async function startWithPage(options: Partial<AppOptions> = {}): Promise<TestServer> {
  const publicDir = await temporaryDirectory();
  await writeFile(join(publicDir, 'index.html'), html);
  await mkdir(join(publicDir, 'assets'));
  await writeFile(join(publicDir, 'assets', 'a-1.js'), 'export {}');
  return startServer({ publicDir, ...options });
}

/** A proxy that serves the server below `/x/agent/` and knows nothing else. Returns its port. */
async function startProxy(target: number, { strip }: { strip: boolean }): Promise<number> {
  const rewritten = (url = '') => (strip ? url.replace(/^\/x\/agent/, '') : url);
  const proxy = http.createServer((request, reply) => {
    if (!request.url?.startsWith('/x/agent/') && (strip || request.url !== '/x/agent')) {
      reply.writeHead(502).end(`outside the prefix: ${request.url}`);
      return;
    }
    const { method, headers } = request;
    const onward = http.request(
      { port: target, host: '127.0.0.1', method, headers, path: rewritten(request.url) },
      (answer) => {
        reply.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(reply);
      },
    );
    request.pipe(onward);
  });
  proxy.on('upgrade', (request, socket) => {
    const headers = request.rawHeaders.reduce(
      (text, word, i) => text + word + (i % 2 === 0 ? ': ' : '\r\n'),
      `GET ${rewritten(request.url)} HTTP/1.1\r\n`,
    );
    const onward = net.connect(target, '127.0.0.1', () => onward.write(`${headers}\r\n`));
    onward.pipe(socket).pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void proxy.close());
  return (proxy.address() as AddressInfo).port;
}

test.each([
  { strip: true, basePath: '' },
  { strip: true, basePath: '/x/agent' },
  { strip: false, basePath: '/x/agent' },
])('O-F6: page, assets, API and socket stay under the prefix: %j', async ({ strip, basePath }) => {
  const server = await startWithPage({ basePath });
  const port = await startProxy(server.port, { strip });
  const base = `http://127.0.0.1:${port}`;
  const get = (url: URL, headers = {}) => rawRequest(port, 'GET', url.pathname + url.search, { headers });

  const deep = new URL('/x/agent/w/demo/?session=1', base);
  const away = await get(deep);
  const login = new URL(away.headers.location ?? '', deep);
  expect(login.href).toBe(`${base}/x/agent/login?next=%2Fw%2Fdemo%2F%3Fsession%3D1`);
  const page = await get(login);
  const root = new URL(/<base href="([^"]+)">/.exec(page.text)?.[1] ?? 'none', login);
  expect(root.href).toBe(`${base}/x/agent/`);
  expect((await get(new URL('assets/a-1.js', root))).status).toBe(200);

  const entered = await rawRequest(port, 'POST', new URL('api/login', root).pathname, {
    headers: { origin: base },
    body: { token: TOKEN },
  });
  const cookie = cookiesOf(entered);
  const cookiePath = /Path=([^;]+)/.exec(entered.headers['set-cookie']?.[0] ?? '')?.[1];
  expect(cookiePath).toBe(basePath || '/');

  const workspace = await get(deep, { cookie });
  expect(new URL(/<base href="([^"]+)">/.exec(workspace.text)?.[1] ?? 'none', deep).href).toBe(root.href);
  const slashless = new URL('w/demo?session=1', root);
  const moved = await get(slashless, { cookie });
  expect(new URL(moved.headers.location ?? '', slashless).href).toBe(deep.href);
  const board = new URL('w/demo/board/', root);
  const ticket = await get(board, { cookie });
  expect((await get(new URL(ticket.headers.location ?? '', board))).status).toBe(200);

  const socket = new WebSocket(new URL('api/socket', root), { headers: { cookie, origin: base } });
  const hello = await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject));
  expect(JSON.parse(String(hello))).toMatchObject({ type: 'hello', protocol: 1 });
  socket.terminate();
});

test('a base path without its slash is completed', async () => {
  const server = await startWithPage({ basePath: '/x/agent' });
  const { status, headers } = await server.request('GET', '/x/agent?a=1');
  expect([status, headers.location]).toEqual([302, './agent/?a=1']);
});

test('the page comes with its policy and is never kept, its hashed files are for ever', async () => {
  const server = await startWithPage();
  const page = await server.request('GET', '/login');
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['cache-control']).toBe('no-store');
  expect(page.headers['content-security-policy']).toBe(
    "default-src 'self';script-src 'self';script-src-attr 'none';style-src 'self' 'unsafe-inline';" +
      "img-src 'self' data: blob:;font-src 'self' data:;connect-src 'self';frame-src 'self';" +
      "frame-ancestors 'none';object-src 'none';base-uri 'self';form-action 'self'",
  );
  const asset = await server.request('GET', '/assets/a-1.js');
  expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(asset.headers['cache-control']).toBe('public, max-age=31536000, immutable');
  for (const path of ['/assets/../index.html', '/assets/%2e%2e/index.html', '/assets/none.js', '/assets/'])
    expect([path, (await server.request('GET', path)).status]).not.toEqual([path, 200]);
});

test('the login page forgets a next that leads away', async () => {
  const server = await startWithPage();
  for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example', '/a%0Ab']) {
    const { status, headers } = await server.request('GET', `/login?next=${next}`);
    expect([next, status, headers.location]).toEqual([next, 302, './login']);
  }
  expect((await server.request('GET', '/login?next=/w/demo/%3Fsession%3D1')).status).toBe(200);
});

test('an unknown workspace and a page that was not built each get a sentence', async () => {
  const server = await startWithPage();
  const headers = { cookie: await server.login() };
  const unknown = await server.request('GET', '/w/%3Cb%3E/', { headers });
  expect(unknown.status).toBe(404);
  expect(unknown.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(unknown.text).toContain('There is no workspace &lt;b&gt;.');
  // and leads on, wherever the server's root is
  expect(unknown.text).toContain('<a href="../../">All workspaces</a>');
  const unbuilt = await startServer();
  const missing = await unbuilt.request('GET', '/login');
  expect(missing.status).toBe(503);
  expect(missing.text).toContain('npm run build');
});
