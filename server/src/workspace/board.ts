/**
 * A workspace's board: an HTML file that its agents keep up to date, and the images beside it. Nothing else of
 * the disk is reachable through it: board paths are resolved when they are configured, and where a link has come
 * to stand in one since, there is no board.
 */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, sep } from 'node:path';
import { Failure } from '../base/errors.ts';
import { giveToOwnerOf } from '../base/give-away.ts';

/** Bytes of a board or of an image beside it. */
const FILE_LIMIT = 32 * 1024 * 1024;

const imageTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
};

export type BoardImage = { content: Buffer; mediaType: string };

/** Changes whenever the file does; null while there is none. */
export async function boardVersion(path: string): Promise<string | null> {
  if (!(await isResolved(path))) return null;
  const found = await stat(path, { bigint: true }).catch(() => null);
  if (!found?.isFile()) return null;
  const mark = `${found.mtimeNs} ${found.size} ${found.ino}`;
  return createHash('sha256').update(mark).digest('base64url').slice(0, 16);
}

/** Makes the directory of a default board (`.tscodex`), out of the way of git. Throws what the file system says. */
export async function prepareBoardPlace(boardPath: string): Promise<void> {
  const directory = dirname(boardPath);
  if (basename(directory) !== '.tscodex') return;
  const made = (await isMade(() => mkdir(directory))) ? [directory] : [];
  // where a link has come to stand in its place, nothing is written to where it leads
  if (!(await isResolved(directory))) return;
  const ignore = join(directory, '.gitignore');
  if (await isMade(() => writeFile(ignore, '*\n', { flag: 'wx' }))) made.push(ignore);
  giveToOwnerOf(dirname(directory), made);
}

/** The board's HTML, null while there is no board. Throws `board.unreadable`, `board.tooLarge`. */
export async function readBoard(path: string): Promise<Buffer | null> {
  return (await isResolved(path)) ? readRegularFile(path) : null;
}

/**
 * An image in the board's directory or below it, by its relative path; null when there is none, or it is no
 * image, or it lies elsewhere, whatever links say.
 */
export async function readBoardImage(boardPath: string, relativePath: string): Promise<BoardImage | null> {
  const directory = dirname(boardPath);
  if (!(await isResolved(directory)) || relativePath.includes('\0')) return null;
  const real = await realpath(join(directory, relativePath)).catch(() => null);
  const mediaType = real === null ? undefined : imageTypes[extname(real).toLowerCase()];
  if (real === null || mediaType === undefined || !real.startsWith(directory + sep)) return null;
  const content = await readRegularFile(real);
  return content && { content, mediaType };
}

/** Whether it exists and no link leads to it. */
async function isResolved(path: string): Promise<boolean> {
  return (await realpath(path).catch(() => null)) === path;
}

/** `path` is resolved: a link that took its place meanwhile is not followed, a pipe is not waited for. */
async function readRegularFile(path: string): Promise<Buffer | null> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (!found.isFile()) return null;
    if (found.size > FILE_LIMIT)
      throw new Failure('tooLarge', 'board.tooLarge', `${path} is larger than ${FILE_LIMIT / 2 ** 20} MiB`);
    return await handle.readFile();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ELOOP') return null;
    if (error instanceof Failure) throw error;
    throw new Failure('unavailable', 'board.unreadable', `cannot read ${path} (${code})`, { cause: error });
  } finally {
    await handle?.close();
  }
}

/** False where it was there already. */
async function isMade(make: () => Promise<unknown>): Promise<boolean> {
  try {
    await make();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
