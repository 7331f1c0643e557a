import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isGone } from '../../exec/process-list.ts';
import { CodexVersions, compare, tooOld, untested } from './codex-version.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'codex-version-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** Says this, and counts in a file beside it how often it was asked. */
async function program(says: string): Promise<string> {
  const path = join(dir, 'codex');
  await writeFile(path, `#!/bin/sh\necho x >> ${join(dir, 'asked')}\n${says}\n`);
  await chmod(path, 0o755);
  return path;
}

test('a program is asked once, and again once it was replaced', async () => {
  const versions = new CodexVersions();
  const path = await program('echo codex-cli 0.171.0');
  expect(versions.known(path)).toBeUndefined();
  expect(await versions.of(path)).toBe('0.171.0');
  expect(versions.known(path)).toBe('0.171.0');
  await program('echo codex-cli 0.172.0-alpha.3 # another size');
  await vi.waitFor(() => expect(versions.known(path)).toBe('0.172.0-alpha.3'), 5000);
});

test('one that does not say which it is, or is not there, is of no known version', async () => {
  const versions = new CodexVersions();
  expect(await versions.of(await program('exit 1'))).toBeNull();
  expect(await versions.of(join(dir, 'nowhere'))).toBeNull();
});

test.runIf(process.platform === 'linux')('one that hangs is ended with what it has started', async () => {
  const versions = new CodexVersions();
  const pids = join(dir, 'pids');
  const path = await program(`sleep 1000 &\necho $$ $! > ${pids}.new; mv ${pids}.new ${pids}; wait`);
  const asked = versions.of(path);
  await vi.waitFor(() => expect(existsSync(pids)).toBe(true), 10_000);
  await versions.close();
  expect(await asked).toBeNull();
  const started = (await readFile(pids, 'utf8')).trim().split(' ').map(Number);
  expect(started.map(isGone)).toEqual([true, true]);
  expect(await versions.of(`${path}-another`)).toBeNull();
});

test('what is too old for one way of running it may do for another', () => {
  expect(tooOld('0.137.2', 'app-server')).toMatchObject({
    ...{ code: 'codex.version', details: { version: '0.137.2', oldest: '0.171' } },
  });
  expect(tooOld('0.137.2', 'exec')).toBeNull();
  expect(tooOld('0.136.9', 'exec')).toMatchObject({ code: 'codex.version' });
  expect(tooOld('1.0.0', 'app-server')).toBeNull();
  expect(tooOld(null, 'exec')).toBeNull();
});

test('what was not tried is said, of older and of newer ones', () => {
  expect(untested('0.171.4')).toBeNull();
  expect(untested('0.172.0')).toMatchObject({ code: 'codex.untested', details: { tested: '0.171' } });
  expect(compare('0.9.0', '0.171')).toBe(-1);
});
