import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRegularFile } from './regular-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tscodex-regular-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('a file is read whole, also through a link, up to the limit', async () => {
  const file = join(dir, 'file');
  const text = 'word '.repeat(50_000);
  writeFileSync(file, text);
  symlinkSync('file', join(dir, 'link'));
  for (const path of [file, join(dir, 'link')])
    expect((await readRegularFile(path, text.length)).toString()).toBe(text);
  expect(await readRegularFile(file, text.length - 1)).toBe('large');
  await expect(readRegularFile(join(dir, 'none'), 9)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('what is no file holds nobody up: a pipe without a writer, a socket, a device, a directory', async () => {
  const [pipe, socket] = [join(dir, 'pipe'), join(dir, 'socket')];
  execFileSync('mkfifo', [pipe]);
  const server = createServer().listen(socket);
  await new Promise((resolve) => server.once('listening', resolve));
  for (const path of [pipe, socket, '/dev/null', '/dev/zero'])
    expect(await readRegularFile(path, 9)).toBe('special');
  expect(await readRegularFile(dir, 9)).toBe('directory');
  server.close();
});
