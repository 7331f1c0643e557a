import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { safePath } from './safe-path.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tscodex-path-'));
  symlinkSync('/usr/lib', join(dir, 'lib'));
  symlinkSync('/usr/bin', join(dir, 'bin'));
});
afterEach(() => rmSync(dir, { recursive: true }));

test('what commands may write is no place for programs, however it is named', async () => {
  const path = `/usr/lib:/usr/bin:${dir}/lib:/missing`;
  expect(await safePath(path, ['/usr/lib', dir, '/gone'])).toBe('/usr/bin');
  expect(await safePath(path, [])).toBe('/usr/lib:/usr/bin');
});

test('a link that a command could turn is followed now', async () => {
  expect(await safePath(`${dir}/bin`, [dir])).toBe('/usr/bin');
});

test('a place for everybody is none, nor is the working directory', async () => {
  for (const path of ['/tmp:/usr/bin', ':/usr/bin', '.:bin:/usr/bin'])
    expect(await safePath(path, [])).toBe('/usr/bin');
  for (const path of ['', '/tmp', '.', '/usr/lib']) expect(await safePath(path, ['/usr/lib'])).not.toBe('');
});
