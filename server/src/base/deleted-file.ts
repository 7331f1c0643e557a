/** A file that somebody has deleted while it is open here: what it holds can be read until it is closed. */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './atomic-file.ts';
import { makeDirectory } from './make-directory.ts';

/** Bytes that are copied at once. */
const PIECE = 1024 * 1024;

export async function isDeleted(file: FileHandle): Promise<boolean> {
  return (await file.stat()).nlink === 0;
}

/**
 * Puts the first `size` bytes of a deleted file back where it was, whole and on disk, and opens that for appending.
 * Throws what the file system says, and where another file is in its place.
 */
export async function bringBack(deleted: FileHandle, path: string, size: number): Promise<FileHandle> {
  makeDirectory(dirname(path), 0o700);
  const partial = `${path}.${randomUUID()}.tmp`;
  const copy = await open(partial, 'ax+', 0o600);
  try {
    const buffer = Buffer.alloc(Math.min(size, PIECE));
    for (let at = 0; at < size; ) {
      const { bytesRead } = await deleted.read(buffer, 0, Math.min(buffer.length, size - at), at);
      if (bytesRead === 0) throw new Error('it was deleted, and cut short before that');
      await copy.writeFile(buffer.subarray(0, bytesRead)); // goes on where the last one ended
      at += bytesRead;
    }
    await copy.datasync();
    if (await isThere(path))
      throw new Error('another file has taken its place; close it here, and open it again');
    await rename(partial, path);
    await syncDirectory(dirname(path));
    return copy;
  } catch (error) {
    await copy.close();
    await rm(partial, { force: true });
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
