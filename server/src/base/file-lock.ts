/**
 * Locks between processes that end with the process that holds them. On Linux flock(2), taken on our own file
 * descriptor by the `flock` program, because Node has no call for it; the Codex CLI takes its writer locks the
 * same way, so the two see each other. Where there is no such program, a file with the holder's pid.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once as onceEmitted } from 'node:events';
import { closeSync, existsSync, fstatSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { Failure, messageOf } from './errors.ts';
import { makeDirectory } from './make-directory.ts';
import { takePidFile } from './pid-file.ts';
import { systemProgram } from './system-program.ts';

export type FileLock = {
  /** Ends the lock; the file stays, so that nobody locks one that is being removed. Twice does no harm. */
  release(): void;
};

/**
 * Takes the lock at once, or returns null when somebody else has it. `flock`: the program, absolute. Throws
 * `file.lock` when the disk refuses.
 */
export function tryLock(path: string, flock = systemProgram('flock')): FileLock | null {
  try {
    makeDirectory(dirname(path));
    return lockFile(path, flock);
  } catch (error) {
    throw new Failure('unavailable', 'file.lock', `cannot lock ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function lockFile(path: string, program: string): FileLock | null {
  for (;;) {
    const fd = openSync(path, 'a', 0o600);
    const taken = flock(program, fd);
    if (taken === 'yes' && isStill(path, fd)) return once(() => closeSync(fd));
    closeSync(fd);
    if (taken === 'no') return null;
    if (taken === 'unknown') {
      const release = takePidFile(pidFile(path));
      return release && once(release);
    }
    // the holder before us removed the file (Codex does on a clean exit): what we hold is nobody's any more
  }
}

/** Between two looks at a file with a pid, which nobody is told about. */
const LOOK_MS = 20;

/**
 * Waits for the lock, without holding anything else up; null when somebody else has it after so many seconds. Rejects
 * as `tryLock` throws.
 */
export async function waitForLock(
  path: string,
  seconds: number,
  flock = systemProgram('flock'),
): Promise<FileLock | null> {
  try {
    makeDirectory(dirname(path));
    return await lockInTime(path, seconds, flock);
  } catch (error) {
    throw new Failure('unavailable', 'file.lock', `cannot lock ${path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function lockInTime(path: string, seconds: number, program: string): Promise<FileLock | null> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const fd = openSync(path, 'a', 0o600);
    const taken = await flockWithin(program, fd, seconds);
    if (taken === 'yes' && isStill(path, fd)) return once(() => closeSync(fd));
    closeSync(fd);
    if (taken === 'unknown') {
      const release = takePidFile(pidFile(path));
      if (release) return once(release);
      await delay(LOOK_MS);
    }
    // the holder before us may have replaced the file: what we hold is nobody's any more
    if (taken === 'no' || Date.now() >= until) return null;
  }
}

async function flockWithin(program: string, fd: number, seconds: number): Promise<'yes' | 'no' | 'unknown'> {
  try {
    const child = spawn(program, ['-w', `${seconds}`, '3'], {
      stdio: ['ignore', 'ignore', 'ignore', fd],
      env: {},
    });
    const [status] = await onceEmitted(child, 'exit');
    return asTaken(status);
  } catch {
    return 'unknown'; // there is no such program
  }
}

/** flock(1) reports a lock held elsewhere by this exit status. */
const HELD = 1;

function flock(program: string, fd: number): 'yes' | 'no' | 'unknown' {
  const { status, error } = spawnSync(program, ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
    env: {},
  });
  if (error !== undefined) return 'unknown';
  return asTaken(status);
}

function asTaken(status: number | null): 'yes' | 'no' | 'unknown' {
  return status === 0 ? 'yes' : status === HELD ? 'no' : 'unknown';
}

function isStill(path: string, fd: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino;
}

function pidFile(path: string): string {
  return `${path}.pid`;
}

function once(release: () => void): FileLock {
  let held = true;
  return {
    release() {
      if (held) release();
      held = false;
    },
  };
}

export type LockHolder = { pid: number; port: number };

const lockHolder = z.object({ pid: z.number(), port: z.number() });

export type StateDirLock = FileLock & {
  /** Tells whoever finds the directory locked who has it. */
  announce(holder: LockHolder): void;
};

/**
 * Makes this process the one server of a state directory. Throws `state.locked`, naming who has it, and
 * `file.lock` when the disk refuses.
 */
export function lockStateDir(dir: string, holder: LockHolder, flock = systemProgram('flock')): StateDirLock {
  const path = join(dir, 'server.lock');
  const lock = tryLock(path, flock);
  const about = join(dir, 'server.json');
  if (lock === null) {
    const other = readHolder(about);
    const who = other ? `pid ${other.pid}, port ${other.port}` : 'another process';
    const way = `stop it, or start this one with another --state-dir${wayOutOf(pidFile(path))}`;
    throw new Failure(
      'unavailable',
      'state.locked',
      `${dir} is in use by a running server (${who}): ${way}`,
      { details: { dir, ...other } },
    );
  }
  const announce = (now: LockHolder) => writeHolder(about, now);
  try {
    announce(holder);
  } catch (error) {
    lock.release();
    throw error;
  }
  return { ...lock, announce };
}

/** After a crash the pid in the file may be that of some other program by now. */
function wayOutOf(pidFile: string): string {
  return existsSync(pidFile) ? `; where no such server runs, remove ${pidFile}` : '';
}

function writeHolder(path: string, holder: LockHolder): void {
  try {
    writeFileSync(path, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  } catch (error) {
    const what = `cannot write ${path}: ${messageOf(error)}`;
    throw new Failure('unavailable', 'file.lock', `${what}: make room, or choose another --state-dir`, {
      cause: error,
    });
  }
}

function readHolder(path: string): LockHolder | null {
  try {
    return lockHolder.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null; // the holder has not written it yet
  }
}
