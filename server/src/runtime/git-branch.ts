/** Which branch a directory is on, without running git: that could run what the repository's own settings name. */
import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const READ_BYTES = 1024;

/** null outside a repository, on no branch (a commit, a rebase under way), and where it cannot be read. */
export function gitBranch(directory: string): string | null {
  try {
    const git = gitDirectory(directory);
    const head = git === null ? '' : beginningOf(join(git, 'HEAD'));
    return /^ref: refs\/heads\/([^\s\p{Cc}]+)\n?$/u.exec(head)?.[1] ?? null;
  } catch {
    return null; // somebody changes it just now, or it may not be read
  }
}

/** In a worktree and a submodule `.git` is a file that says where it is. */
function gitDirectory(directory: string): string | null {
  for (let place = directory; ; place = dirname(place)) {
    const git = join(place, '.git');
    if (existsSync(git)) {
      if (statSync(git).isDirectory()) return git;
      const link = /^gitdir: (.+)\n?$/.exec(beginningOf(git))?.[1];
      return link === undefined ? null : resolve(place, link);
    }
    if (dirname(place) === place) return null;
  }
}

/** A pipe in the place of a file must not hold the server: it is opened without waiting for a writer. */
function beginningOf(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const buffer = Buffer.alloc(READ_BYTES);
    return buffer.toString('utf8', 0, readSync(fd, buffer));
  } finally {
    closeSync(fd);
  }
}
