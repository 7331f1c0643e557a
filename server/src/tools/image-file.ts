/**
 * Reads an image file for the model. This process reads it itself, so no sandbox stands in between: what lies
 * outside the working directory and the temporary one stays closed, unless the settings leave everything open.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { sep } from 'node:path';
import { IMAGE_LIMIT } from '@tscodex/shared/limits';
import { Failure, messageOf } from '../base/errors.ts';
import type { ToolContext } from './tool.ts';

/** Throws `image.file` with a sentence for the model. `path` is absolute. */
export async function readImageFile(
  path: string,
  { cwd, policy, holding }: Pick<ToolContext, 'cwd' | 'policy' | 'holding'>,
): Promise<Buffer> {
  const real = await realpath(path).catch((error) => {
    throw unreadable(path, error);
  });
  const isOpen = policy.approval === 'never' && policy.sandbox === 'danger-full-access';
  const check = async (place: string) => {
    if (!isOpen && !(await isWithin(place, [cwd, tmpdir()])))
      throw unusable(path, `it lies outside ${cwd} and ${tmpdir()}; copy it there first`);
    if (holding.hiding({})(place)) throw unusable(path, 'it is hidden from this session');
  };
  await check(real);
  // neither a link put in place of the file itself meanwhile nor a pipe that nobody writes to
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(real, flags).catch((error) => {
    throw unreadable(path, error);
  });
  try {
    // nor a link in place of a directory above it: Linux says what was opened, elsewhere nothing does
    await check(await readlink(`/proc/self/fd/${handle.fd}`).catch(() => real));
    return await readWhole(handle, path);
  } finally {
    await handle.close();
  }
}

async function readWhole(handle: FileHandle, path: string): Promise<Buffer> {
  const info = await handle.stat();
  if (info.isDirectory()) throw unusable(path, 'it is a directory');
  if (!info.isFile()) throw unusable(path, 'it is not a regular file');
  if (info.size > IMAGE_LIMIT) {
    const [size, limit] = [info.size, IMAGE_LIMIT].map((bytes) => `${Math.ceil(bytes / 1024 / 1024)} MiB`);
    throw unusable(path, `it has ${size}, and ${limit} is the limit; make a smaller copy of it first`);
  }
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(info.size), 0, info.size, 0);
  return buffer.subarray(0, bytesRead);
}

async function isWithin(real: string, directories: readonly string[]): Promise<boolean> {
  for (const directory of directories) {
    const root = await realpath(directory).catch(() => null);
    if (root !== null && real.startsWith(root.endsWith(sep) ? root : root + sep)) return true;
  }
  return false;
}

function unreadable(path: string, error: unknown): Failure {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return unusable(path, 'there is no such file');
  if (code === 'ENOTDIR') return unusable(path, 'a part of the path is a file');
  if (code === 'EACCES') return unusable(path, 'reading it is not permitted');
  return unusable(path, messageOf(error));
}

function unusable(path: string, why: string): Failure {
  return new Failure('invalid', 'image.file', `cannot view ${path}: ${why}`);
}
