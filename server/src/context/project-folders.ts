/** The folders in which a project's own words for agents lie. */
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** From the root of the repository down to `cwd` (absolute); outside of one, `cwd` alone. */
export function projectFolders(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (isRepository(folder)) return folders;
    if (folder === dirname(folder)) return [cwd];
  }
}

/** Git passes over a directory that is no repository: an empty one keeps the place of `.git` while commands run. */
function isRepository(folder: string): boolean {
  const git = looked(join(folder, '.git'));
  return git?.isFile() || (git?.isDirectory() && looked(join(folder, '.git', 'HEAD')) !== null) || false;
}

function looked(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null; // a part of the way is a file, or may not be gone
  }
}
