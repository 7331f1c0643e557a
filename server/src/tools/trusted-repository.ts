/** Whether what git is told by the repository it works in can only have come from people. */
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '../base/regular-file.ts';
import { lies } from './grants.ts';

/** Bytes of a file that names the directory of a repository. */
const GITDIR_LIMIT = 64 * 1024;

/** How the index marks a submodule: a repository of its own, with settings that lie among the files. */
const SUBMODULE = Buffer.from([0x00, 0x00, 0xe0, 0x00]);

/**
 * `cwd`, and `writable`, where commands may write in some mode: absolute, resolved. A place of those keeps the
 * `.git` directly in it; any other repository there may be an agent's, and so may be one that is not found.
 */
export async function isTrustedRepository(cwd: string, writable: readonly string[]): Promise<boolean> {
  for (const dir of withParents(cwd)) {
    const gitDir = await gitDirOf(dir);
    if (gitDir !== null)
      return (
        isKept(join(dir, '.git'), writable) && isKept(gitDir, writable) && !(await hasSubmodules(gitDir))
      );
    if (await looksBare(dir)) return false;
  }
  return false;
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

/** null where there is none; a file names it in the working tree of a worktree. */
async function gitDirOf(dir: string): Promise<string | null> {
  const path = join(dir, '.git');
  const found = await lstat(path).catch(() => null);
  if (found === null) return null;
  if (!found.isFile()) return realpath(path).catch(() => path);
  // a command may have put something else there by now
  const text = (await readRegularFile(path, GITDIR_LIMIT)).toString();
  const [, named = '.git'] = /^gitdir: (.*)$/m.exec(text) ?? [];
  return realpath(resolve(dir, named)).catch(() => path);
}

function isKept(path: string, writable: readonly string[]): boolean {
  return writable.every((place) => !lies(path, place) || lies(path, join(place, '.git')));
}

async function looksBare(dir: string): Promise<boolean> {
  const found = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => lstat(join(dir, name)).catch(() => null)),
  );
  return found.every((entry) => entry !== null);
}

async function hasSubmodules(gitDir: string): Promise<boolean> {
  const names = await readdir(gitDir).catch(() => []);
  const indexes = names.filter((name) => name === 'index' || name.startsWith('sharedindex.'));
  const read = await Promise.all(indexes.map((name) => readFile(join(gitDir, name))));
  return read.some((index) => index.includes(SUBMODULE));
}
