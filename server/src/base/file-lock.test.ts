import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lockStateDir, tryLock, waitForLock } from './file-lock.ts';
import { spawnSnippet } from './snippet.test-support.ts';
import { systemProgram } from './system-program.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'file-lock-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const MISSING = '/nonexistent/flock';

/** A process that takes the lock, says whether it got it, and stays. */
function contender(path: string, flock: string) {
  return spawnSnippet(
    dir,
    `import { tryLock } from './file-lock.ts';
     console.log(tryLock(${JSON.stringify(path)}, ${JSON.stringify(flock)}) === null ? 'refused' : 'locked');
     setInterval(() => {}, 1000);`,
  );
}

test.each([
  ['flock', systemProgram('flock')],
  ['the pid file where there is no flock', MISSING],
])(
  '%s: one holder at a time, within a process and between two; it ends with the process',
  async (_name, flock) => {
    const path = join(dir, 'locks', 'one.lock');
    const mine = tryLock(path, flock);
    expect(mine).not.toBeNull();
    expect(tryLock(path, flock)).toBeNull();

    const refused = await contender(path, flock);
    expect((await refused.lines.next()).value).toBe('refused');
    refused.process.kill('SIGKILL');

    mine?.release();
    mine?.release();
    const other = await contender(path, flock);
    expect((await other.lines.next()).value).toBe('locked');
    expect(tryLock(path, flock)).toBeNull();

    const gone = new Promise((resolve) => other.process.once('exit', resolve));
    other.process.kill('SIGKILL');
    await gone;
    const again = tryLock(path, flock);
    expect(again).not.toBeNull();
    again?.release();
  },
);

test.each([
  ['flock', systemProgram('flock')],
  ['the pid file where there is no flock', MISSING],
])('%s: who waits gets the lock once it is free, while everything else goes on', async (_name, flock) => {
  const path = join(dir, 'one.lock');
  const held = tryLock(path, flock);
  expect(await waitForLock(path, 0, flock)).toBeNull();
  let turns = 0;
  const turning = setInterval(() => {
    if (++turns === 5) held?.release();
  }, 1);
  const mine = await waitForLock(path, 60, flock);
  clearInterval(turning);
  expect(turns).toBeGreaterThanOrEqual(5);
  expect(tryLock(path, flock)).toBeNull();
  mine?.release();
});

test('a lock on a file that its holder has replaced is none: who waited takes that of the new file', async () => {
  const path = join(dir, 'one.lock');
  const held = tryLock(path);
  const waiting = waitForLock(path, 60);
  rmSync(path);
  writeFileSync(path, 'new');
  held?.release();
  const mine = await waiting;
  expect(tryLock(path)).toBeNull();
  mine?.release();
  expect(tryLock(path)).not.toBeNull();
});

test('without flock: of two who find a dead holder one gets the lock, and only its holder removes it', () => {
  const path = join(dir, 'one.lock');
  const file = `${path}.pid`;
  writeFileSync(file, '999999999');
  const kill = vi.spyOn(process, 'kill').mockImplementationOnce(() => {
    writeFileSync(file, String(process.ppid)); // the other was quicker, right after we looked
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
  });
  expect(tryLock(path, MISSING)).toBeNull();
  kill.mockRestore();
  expect(readFileSync(file, 'utf8')).toBe(String(process.ppid));

  writeFileSync(file, '999999999');
  const mine = tryLock(path, MISSING);
  expect(readFileSync(file, 'utf8')).toBe(String(process.pid));
  writeFileSync(file, String(process.ppid));
  mine?.release();
  expect(readFileSync(file, 'utf8')).toBe(String(process.ppid));
  expect(readdirSync(dir)).toEqual(['one.lock', 'one.lock.pid']);
});

test('without flock: a pid that went to another program is told with the file to remove', () => {
  const file = join(dir, 'server.lock.pid');
  writeFileSync(file, String(process.ppid));
  expect(() => lockStateDir(dir, { pid: 1, port: 1 }, MISSING)).toThrow(
    `; where no such server runs, remove ${file}`,
  );
  rmSync(file);
  lockStateDir(dir, { pid: 1, port: 1 }, MISSING).release();
});

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
