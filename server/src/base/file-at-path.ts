/** Finds a file that others have put there, and reads its beginning for somebody who may not read every file. */
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
import { open } from 'node:fs/promises';

/** What a path leads to; `path` absolute, with links resolved. */
export type FoundFile = { path: string; stats: Stats };

/** Whether it may be read for whom it is read. */
export type MayRead = (file: FoundFile) => boolean;

/** Opens nothing for reading: a pipe without a writer does not block, and a device is not touched. */
export const O_PATH = 0o10000000;

/**
 * A file found by one look: what is asked about is what is read afterwards, whatever is put in its place meanwhile.
 * The look does not wait for other threads: on a busy machine each of many would wait longer than it takes. Elsewhere
 * than on Linux it takes two looks.
 */
export class FileAtPath {
  private constructor(
    readonly found: FoundFile,
    private readonly fd: number | null,
  ) {}

  /** To be disposed of. null where nothing is there. Throws what the disk says. */
  static find(path: string): FileAtPath | null {
    try {
      return process.platform === 'linux' ? FileAtPath.#opened(path) : FileAtPath.#lookedUp(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw error;
    }
  }

  static #opened(path: string): FileAtPath {
    const fd = openSync(path, O_PATH | constants.O_NOCTTY);
    try {
      const [path, stats] = [readlinkSync(descriptor(fd)), fstatSync(fd)];
      // it went just now, and what it is called now may be the name of something else
      if (stats.nlink === 0 && path.endsWith(' (deleted)')) throw gone(path);
      return new FileAtPath({ path, stats }, fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  static #lookedUp(path: string): FileAtPath {
    const real = realpathSync(path);
    return new FileAtPath({ path: real, stats: statSync(real) }, null);
  }

  /** At most `limit` bytes. Throws what the disk says. */
  async read(limit: number): Promise<Buffer> {
    const path = this.fd === null ? this.found.path : descriptor(this.fd);
    const follow = this.fd === null ? constants.O_NOFOLLOW : 0;
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | follow);
    const buffer = Buffer.alloc(Math.min(limit, this.found.stats.size));
    for (let length = 0; length < buffer.length; ) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) return buffer.subarray(0, length); // it has become shorter
      length += bytesRead;
    }
    return buffer;
  }

  [Symbol.dispose](): void {
    if (this.fd !== null) closeSync(this.fd);
  }
}

function gone(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${path}: it is gone`), { code: 'ENOENT' });
}

function descriptor(fd: number): string {
  return `/proc/self/fd/${fd}`;
}
