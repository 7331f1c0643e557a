/** Reads a file that others may put something else in the place of at any moment. */
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** What is in the place of a file that can be read. */
export type NotReadable = 'directory' | 'special' | 'large';

/**
 * All of the file. A pipe that nobody writes to holds nobody up: what is read is what was looked at. `limit` in bytes.
 * Where somebody else may have put a link in its place, `links` is `refuse`: it is ELOOP then. Throws what the disk
 * says.
 */
export async function readRegularFile(
  path: string,
  limit: number,
  links: 'follow' | 'refuse' = 'follow',
): Promise<Buffer | NotReadable> {
  const last = links === 'refuse' ? constants.O_NOFOLLOW : 0;
  try {
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | last);
    const info = await handle.stat();
    if (info.isDirectory()) return 'directory';
    if (!info.isFile()) return 'special';
    return info.size > limit ? 'large' : await readWhole(handle, info.size);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENXIO') return 'special'; // a socket
    throw error;
  }
}

async function readWhole(handle: FileHandle, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size);
  for (let length = 0; length < size; ) {
    const { bytesRead } = await handle.read(buffer, length, size - length);
    if (bytesRead === 0) return buffer.subarray(0, length); // it has become shorter
    length += bytesRead;
  }
  return buffer;
}
