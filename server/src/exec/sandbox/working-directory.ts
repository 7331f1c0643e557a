/**
 * Starts a program in the very directory that was judged: between a person's answer and the start, another command
 * could put a link in its place.
 */
import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { Failure } from '../../base/errors.ts';
import { O_PATH } from '../../base/file-at-path.ts';
import { realPlace } from './real-place.ts';

/** A directory, whatever it is named. */
export type Identity = { dev: number; ino: number };

/** Throws `grants.changed` where another directory is at the path by now, or none. */
export function expectSame(path: string, judged: Identity): void {
  const now = realPlace(path);
  if (!now || now.path !== path || !isSame(now, judged)) throw changed(path);
}

/**
 * What to start a program in: until `close`, it leads to the directory that was opened and to no other. Elsewhere
 * than on Linux it is the path. Throws `grants.changed`.
 */
export function holdDirectory(path: string, judged: Identity): { cwd: string; close(): void } {
  expectSame(path, judged);
  if (process.platform !== 'linux') return { cwd: path, close: () => undefined };
  const fd = opened(path);
  const close = () => closeSync(fd);
  if (isSame(fstatSync(fd), judged)) return { cwd: `/proc/self/fd/${fd}`, close };
  close();
  throw changed(path);
}

function opened(path: string): number {
  try {
    return openSync(path, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    throw changed(path);
  }
}

function isSame(one: Identity, other: Identity): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

function changed(path: string): Failure {
  return new Failure(
    'conflict',
    'grants.changed',
    `${path}: another directory is there than when this was judged; nothing was run`,
  );
}
