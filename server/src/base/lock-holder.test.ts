import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tryLock } from './file-lock.ts';
import { lockHolder } from './lock-holder.ts';

async function lockPath(): Promise<string> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), 'tscodex-lock-holder-')));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return join(dir, 'x.lock');
}

test.runIf(process.platform === 'linux')('who holds a lock is found, and that it has let go', async () => {
  const path = await lockPath();
  expect(lockHolder(path)).toBeNull();
  // the shell holds it and goes on as `cat`
  const script = `exec 9>>${path}; flock 9; echo held; exec cat`;
  const other = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(other.stdout, 'data');
  expect(tryLock(path)).toBeNull();
  const holder = lockHolder(path);
  expect(holder).toMatchObject({ pid: other.pid, program: 'cat' });
  expect(holder?.holds()).toBe(true);
  other.stdin.end();
  await once(other, 'exit');
  expect(holder?.holds()).toBe(false);
  expect(lockHolder(path)).toBeNull();
});

test.runIf(process.platform === 'linux')(
  'who has a lock file open without its lock does not hold it',
  async () => {
    const path = await lockPath();
    const other = spawn('sh', ['-c', `exec 9>>${path}; echo open; exec cat`], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');
    expect(lockHolder(path)).toBeNull();
    const lock = tryLock(path);
    expect(lockHolder(path)).toMatchObject({ pid: process.pid });
    lock?.release();
    other.stdin.end();
    await once(other, 'exit');
  },
);
