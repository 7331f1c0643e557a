/** Directories that are made for an entry: all of them and the entry, or nothing. */
import { existsSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure } from '../base/errors.ts';
import { giveToOwnerOf } from '../base/give-away.ts';
import { makeDirectory } from '../base/make-directory.ts';
import type { ConfigDocument } from './config-document.ts';
import type { WorkspaceEntry } from './config-file.ts';
import type { WorkspaceFile } from './workspace-file.ts';

/** By the field that asks for them. */
export type Directories = { dir?: string; board?: string };
type DirectoryEdit = (
  document: ConfigDocument,
  entries: readonly WorkspaceEntry[],
  make: (directories: Directories) => void,
) => Promise<ConfigDocument>;

/** A change that makes directories, which are taken away again when the file cannot be written after all. */
export async function changeWithDirectories(file: WorkspaceFile, edit: DirectoryEdit): Promise<void> {
  const made: { path: string; from: string }[] = [];
  const make = (directories: Directories) => {
    for (const [field, path] of Object.entries(directories) as [keyof Directories, string][]) {
      if (!existsSync(path)) made.push({ path, from: uppermostMissing(path) });
      makeFor(field, path);
    }
  };
  try {
    await file.change((document, entries) => edit(document, entries, make));
  } catch (error) {
    for (const { path, from } of made.reverse()) await removeEmpty(path, from);
    throw error;
  }
}

function uppermostMissing(path: string): string {
  const above = dirname(path);
  return existsSync(above) ? path : uppermostMissing(above);
}

function makeFor(field: keyof Directories, path: string): void {
  try {
    const uppermost = makeDirectory(path);
    if (uppermost !== undefined) giveToOwnerOf(dirname(uppermost), wayDown(uppermost, path));
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    throw new Failure(
      code === 'ENOSPC' ? 'unavailable' : 'invalid',
      'workspace.directory',
      `The directory ${path} does not exist and cannot be made: ${reasons[code] ?? code}. Choose another one.`,
      { details: { field, path }, cause },
    );
  }
}

/** All directories from the one down to the other. */
function wayDown(from: string, to: string): string[] {
  return from === to ? [to] : [...wayDown(from, dirname(to)), to];
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: "this server's user may not write there",
  EPERM: "this server's user may not write there",
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a file is in its way',
  EEXIST: 'something that is no directory is in its way',
  ENOENT: 'directories cannot be made there',
  ENAMETOOLONG: 'the name is too long',
};

async function removeEmpty(path: string, from: string): Promise<void> {
  for (let dir = path; dir.startsWith(from); dir = dirname(dir)) await rmdir(dir).catch(() => undefined); // no longer empty: it is somebody's now
}
