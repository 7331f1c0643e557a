import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lockStateDir, tryLock } from './file-lock.ts';
import { spawnSnippet } from './snippet.test-support.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'file-lock-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

/** A process that takes the lock, says whether it got it, and stays. */
function contender(path: string) {
  return spawnSnippet(
    dir,
    `import { tryLock } from './file-lock.ts';
     console.log(tryLock(${JSON.stringify(path)}) === null ? 'refused' : 'locked');
     setInterval(() => {}, 1000);`,
  );
}

test.each([
  ['flock', process.env.PATH ?? ''],
  ['the pid file where there is no flock', '/nonexistent'],
])(
  '%s: one holder at a time, within a process and between two; it ends with the process',
  async (_name, PATH) => {
    vi.stubEnv('PATH', PATH);
    const path = join(dir, 'locks', 'one.lock');
    const mine = tryLock(path);
    expect(mine).not.toBeNull();
    expect(tryLock(path)).toBeNull();

    const refused = await contender(path);
    expect((await refused.lines.next()).value).toBe('refused');
    refused.process.kill('SIGKILL');

    mine?.release();
    mine?.release();
    const other = await contender(path);
    expect((await other.lines.next()).value).toBe('locked');
    expect(tryLock(path)).toBeNull();

    const gone = new Promise((resolve) => other.process.once('exit', resolve));
    other.process.kill('SIGKILL');
    await gone;
    const again = tryLock(path);
    expect(again).not.toBeNull();
    again?.release();
  },
);

test('a lock on a file that its last holder removed is not mistaken for the lock', () => {
  const path = join(dir, 'one.lock');
  const mine = tryLock(path);
  rmSync(path);
  const other = tryLock(path);
  expect(other).not.toBeNull();
  expect(tryLock(path)).toBeNull();
  mine?.release();
  other?.release();
  expect(existsSync(path)).toBe(true);
});

test('a second server is told who has the state directory and what to do', () => {
  const lock = lockStateDir(dir, { pid: 4711, port: 6007 });
  expect(() => lockStateDir(dir, { pid: 4712, port: 6008 })).toThrow(
    expect.objectContaining({
      kind: 'unavailable',
      code: 'state.locked',
      message: expect.stringMatching(/pid 4711, port 6007.*--state-dir/),
      details: { dir, pid: 4711, port: 6007 },
    }),
  );
  lock.announce({ pid: 4711, port: 40_001 });
  expect(() => lockStateDir(dir, { pid: 4712, port: 6008 })).toThrow(/pid 4711, port 40001/);
  lock.release();
  const next = lockStateDir(dir, { pid: 4712, port: 6008 });
  writeFileSync(join(dir, 'server.json'), 'torn');
  expect(() => lockStateDir(dir, { pid: 1, port: 1 })).toThrow(/another process/);
  next.release();
});
