import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer, type TestServer, TOKEN, temporaryDirectory } from './test-server.test-support.ts';

async function openBoard(html: string | null): Promise<{ server: TestServer; cookie: string; url: string }> {
  const dir = await temporaryDirectory();
  const server = await startServer();
  server.workspaces.boardPath = join(dir, 'board.html');
  await mkdir(join(dir, 'img'));
  await writeFile(join(dir, 'img', 'pic.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(dir, 'notes.txt'), 'private');
  await symlink('/etc/hostname', join(dir, 'link.png'));
  if (html !== null) await writeFile(server.workspaces.boardPath, html);
  const cookie = await server.login();
  const reply = await server.request('GET', '/w/demo/board/?v=2', { headers: { cookie } });
  expect(reply.status).toBe(302);
  const url = new URL(reply.headers.location ?? '', 'http://host/w/demo/board/');
  expect(url.search).toBe('?v=2');
  return { server, cookie, url: url.pathname };
}

test('the ticket opens the board without a cookie, under a policy of its own', async () => {
  const { server, url } = await openBoard('<!doctype html>\n<title>Plan</title><p>hi');
  const { status, headers, text } = await server.request('GET', url);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toBe(
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " +
      "img-src 'self' data: blob:; font-src data:; connect-src 'none'; frame-ancestors 'self'",
  );
  expect(headers['connection-allowlist']).toBe('(response-origin)');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['x-frame-options']).toBeUndefined();
  expect(headers['cache-control']).toBe('no-store');
  expect(text).toMatch(
    /^<!doctype html><script>.*tscodex\.board\.scroll.*<\/script>\n<title>Plan<\/title><p>hi$/s,
  );
});

test('images beside the board are served, nothing else is', async () => {
  const { server, url } = await openBoard('x');
  const image = await server.request('GET', `${url}img/pic.svg`);
  expect([image.status, image.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  expect(image.headers['content-security-policy']).toContain('sandbox allow-scripts');
  expect(image.headers['cross-origin-resource-policy']).toBe('cross-origin');
  for (const path of [
    'notes.txt',
    'board.html',
    '../../../../api/workspaces',
    '%2e%2e/x.png',
    'link.png',
    'none.png',
  ])
    expect([path, (await server.request('GET', url + path)).status]).toEqual([path, 404]);
});

test('a ticket is for one workspace and ends with its login', async () => {
  const { server, url, cookie } = await openBoard('x');
  expect((await server.request('GET', url.replace('/demo/', '/other/'))).status).toBe(403);
  expect((await server.request('GET', url.replace(/.\/$/, '/'))).status).toBe(403);
  expect((await server.request('GET', '/w/demo/board/./x')).status).toBe(403);
  await server.request('POST', '/api/logout', { headers: { cookie, origin: server.origin } });
  expect((await server.request('GET', url)).status).toBe(403);
});

test('a program has a ticket of its own; the log holds none', async () => {
  const { server, url } = await openBoard('x');
  await server.request('GET', url);
  expect(server.log()).not.toContain(url.split('/').at(-2));
  const headers = { authorization: `Bearer ${TOKEN}` };
  const { headers: sent } = await server.request('GET', '/w/demo/board/', { headers });
  const own = new URL(sent.location ?? '', 'http://host/w/demo/board/').pathname;
  expect(own).not.toBe(url);
  expect((await server.request('GET', own)).status).toBe(200);
});

test('while there is no board a page says so, under the same policy', async () => {
  const { server, url } = await openBoard(null);
  const { status, headers, text } = await server.request('GET', url);
  expect(status).toBe(200);
  expect(headers['content-security-policy']).toContain('sandbox allow-scripts');
  expect(text).toContain('No board yet');
  expect(text).toContain('prefers-color-scheme: dark');
});
