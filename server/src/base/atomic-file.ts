/** Replaces a file whole: whoever reads it, also after a power cut, finds the old content or the new one. */
import { randomUUID } from 'node:crypto';
import { lstat, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Writes `content` beside `path` and renames it into place; its bytes are on disk then. An existing file
 * keeps its mode, where possible its owner, and a symbolic link its target's place; a new file gets `mode`. Throws
 * what the file system says, and what `beforeReplacing` throws, which is called at the last moment.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o644,
  beforeReplacing: () => Promise<void> = async () => undefined,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const existing = await stat(target).catch(() => null);
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeSynced(temporary, content, existing ?? { mode });
    await beforeReplacing();
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  // the file is replaced by now: a disk that cannot promise to keep that must not make it look undone
  await syncDirectory(dirname(target)).catch(() => undefined);
}

/** Takes away what writing `path` left beside it when the process was killed in the middle. */
export async function sweepLeftovers(path: string, olderThanMs = 60_000): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const start = `${basename(target)}.`;
  for (const name of await readdir(dirname(target)).catch(() => [])) {
    if (!name.startsWith(start) || !LEFTOVER.test(name.slice(start.length))) continue;
    const leftover = join(dirname(target), name);
    const found = await lstat(leftover).catch(() => null);
    // a younger one may be another process's, which is at it
    if (found?.isFile() && found.mtimeMs < Date.now() - olderThanMs)
      await rm(leftover, { force: true }).catch(() => undefined);
  }
}

const LEFTOVER = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp$/;

type Like = { mode: number; uid?: number; gid?: number };

async function writeSynced(path: string, content: string | Uint8Array, like: Like): Promise<void> {
  const mode = like.mode & 0o7777;
  const handle = await open(path, 'wx', mode);
  try {
    // others than root may give nothing away: the file is then the writer's
    if (like.uid !== undefined && like.gid !== undefined)
      await handle.chown(like.uid, like.gid).catch(() => undefined);
    await handle.chmod(mode); // what the umask took away
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes new, renamed and removed names in a directory outlive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
