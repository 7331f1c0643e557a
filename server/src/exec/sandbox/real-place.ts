/**
 * What a path leads to, by one look: whoever asks for its links first and for its owner afterwards may be told of two
 * things, where commands exchange a directory for a link again and again.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';

/** Opens nothing for reading: no right to the thing itself is needed, and a pipe without a writer does not block. */
export const O_PATH = 0o10000000;

export type RealPlace = {
  /** Absolute, with links resolved. Where nothing is at this path any more, no path that was asked for equals it. */
  path: string;
  uid: number;
  gid: number;
  dev: number;
  ino: number;
  directory: boolean;
};

/** null for what is missing, or where this server may not look. Elsewhere than on Linux it takes two looks. */
export function realPlace(path: string): RealPlace | null {
  try {
    return process.platform === 'linux' ? opened(path) : lookedUp(path);
  } catch {
    return null;
  }
}

function opened(path: string): RealPlace {
  const fd = openSync(path, O_PATH | constants.O_NOCTTY);
  try {
    return described(readlinkSync(`/proc/self/fd/${fd}`), fstatSync(fd));
  } finally {
    closeSync(fd);
  }
}

function lookedUp(path: string): RealPlace {
  const real = realpathSync(path);
  return described(real, statSync(real));
}

function described(path: string, stats: Stats): RealPlace {
  const { uid, gid, dev, ino } = stats;
  return { path, ...{ uid, gid, dev, ino }, directory: stats.isDirectory() };
}
