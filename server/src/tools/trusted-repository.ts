/** Whether what git is told by the repository it works in can only have come from people. */
import { lstat, readdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isWithin } from '../base/paths.ts';
import { readRegularFile } from '../base/regular-file.ts';

/** Bytes of a file that names the directory of a repository: a path is no longer. */
const GITDIR_LIMIT = 4096;

/** How the index marks a submodule: a repository of its own, with settings that lie among the files. */
const SUBMODULE = Buffer.from([0x00, 0x00, 0xe0, 0x00]);

/**
 * `cwd`, and `writable`, where commands may write in some mode: absolute, resolved. A place of those keeps the
 * `.git` directly in it; any other repository there may be an agent's, and so may be one that is not found.
 */
export async function isTrustedRepository(cwd: string, writable: readonly string[]): Promise<boolean> {
  for (const dir of withParents(cwd)) {
    const git = join(dir, '.git');
    if ((await isThere(git)) && !(await isPassedOver(git, writable))) return isTrusted(git, writable);
    if (await looksBare(dir)) return false;
  }
  return false;
}

/** Git looks on above a directory that is no repository: where `.git` is missing, one keeps its place for a while. */
async function isPassedOver(git: string, writable: readonly string[]): Promise<boolean> {
  if (!isKept(git, writable) || (await isThere(join(git, 'HEAD')))) return false;
  return lstat(git).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Nothing is read that commands may write. */
async function isTrusted(git: string, writable: readonly string[]): Promise<boolean> {
  const real = await realpath(git).catch(() => null);
  if (real === null || !isKept(git, writable) || !isKept(real, writable)) return false;
  const gitDir = await gitDirOf(git);
  return gitDir !== null && isKept(gitDir, writable) && !(await hasSubmodules(gitDir));
}

function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

/** A file names it in the working tree of a worktree; null where that is not what it is. */
async function gitDirOf(git: string): Promise<string | null> {
  const read = await readRegularFile(git, GITDIR_LIMIT).catch(() => null);
  if (read === 'directory') return realpath(git).catch(() => null);
  if (!Buffer.isBuffer(read)) return null;
  const [, named] = /^gitdir: (.*)$/m.exec(read.toString()) ?? [];
  return named === undefined ? null : realpath(resolve(dirname(git), named)).catch(() => null);
}

function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function isKept(path: string, writable: readonly string[]): boolean {
  return writable.every((place) => !isWithin(path, place) || isWithin(path, join(place, '.git')));
}

async function looksBare(dir: string): Promise<boolean> {
  const found = await Promise.all(['HEAD', 'objects', 'refs'].map((name) => isThere(join(dir, name))));
  return found.every((isFound) => isFound);
}

async function hasSubmodules(gitDir: string): Promise<boolean> {
  const names = await readdir(gitDir).catch(() => []);
  const indexes = names.filter((name) => name === 'index' || name.startsWith('sharedindex.'));
  const read = await Promise.all(indexes.map((name) => readFile(join(gitDir, name))));
  return read.some((index) => index.includes(SUBMODULE));
}
