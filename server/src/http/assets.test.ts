import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startServer, temporaryDirectory } from './test-server.test-support.ts';

test('a file comes as the best of the copies that the build made of it, and once', async () => {
  const publicDir = await temporaryDirectory();
  await mkdir(join(publicDir, 'assets'));
  await writeFile(join(publicDir, 'assets', 'a-1.js'), 'export {}');
  const server = await startServer({ publicDir });
  const get = async (name: string, headers: Record<string, string>) => {
    const { status, headers: got, text } = await server.request('GET', name, { headers });
    return [status, got['content-encoding'], got.etag, Number(got['content-length'] ?? 0), text];
  };
  const asset = (accepted: string, known = '') =>
    get('/assets/a-1.js', { 'accept-encoding': accepted, 'if-none-match': known });
  const plain = [200, undefined, '"a-1.js"', 9, 'export {}'];
  expect(await asset('br, gzip')).toEqual(plain);
  // they are handed out as they lie there: what is in them does not matter
  await writeFile(join(publicDir, 'assets', 'a-1.js.gz'), 'zipped');
  expect(await asset('gzip, deflate, br')).toEqual([200, 'gzip', '"a-1.js.gz"', 6, 'zipped']);
  await writeFile(join(publicDir, 'assets', 'a-1.js.br'), 'small');
  const small = [200, 'br', '"a-1.js.br"', 5, 'small'];
  expect(await asset('gzip, deflate, br')).toEqual(small);
  expect(await asset('gzip, br;q=0')).toEqual([200, 'gzip', '"a-1.js.gz"', 6, 'zipped']);
  expect(await asset('')).toEqual(plain);
  expect(await asset('identity')).toEqual(plain);
  expect(await asset('br', '"other", W/"a-1.js.br"')).toEqual([304, undefined, '"a-1.js.br"', 0, '']);
  expect(await asset('br', '"a-1.js.gz"')).toEqual(small);
  expect((await server.request('GET', '/assets/a-1.js')).headers.vary).toMatch(/accept-encoding/i);
  // a copy is no file of its own
  expect((await server.request('GET', '/assets/a-1.js.br')).status).toBe(404);

  await writeFile(join(publicDir, 'icon.svg'), '<svg/>');
  const icon = await get('/icon.svg', {});
  expect(icon).toEqual([200, undefined, expect.stringMatching(/^"[\w-]{43}"$/), 6, '<svg/>']);
  expect((await get('/icon.svg', { 'if-none-match': `${icon[2]}` }))[0]).toBe(304);
  await writeFile(join(publicDir, 'icon.svg'), '<svg />');
  expect((await get('/icon.svg', { 'if-none-match': `${icon[2]}` }))[0]).toBe(200);
});
