/** Where sessions' files are: Codex's folders of $CODEX_HOME, and in them what is no link. */
import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isWithin } from '../../base/paths.ts';

export type SessionFolder = { dir: string; archived: boolean };

/** Where a session's file lies; null: at no place of sessions. */
export function sessionFolderOf(codexHome: string, path: string): SessionFolder | null {
  const dir = dirname(path);
  if (!isSessionFile(basename(path))) return null;
  if (isWithin(dir, join(codexHome, 'sessions'))) return { dir, archived: false };
  return isWithin(dir, join(codexHome, 'archived_sessions')) ? { dir, archived: true } : null;
}

/** Codex has years, months and days; hands may have put some more. */
const DEEPEST = 6;

/** The newest first. What cannot be read is told to `unreadable`. */
export async function* sessionFolders(
  codexHome: string,
  unreadable: (dir: string, error: NodeJS.ErrnoException) => void,
): AsyncGenerator<SessionFolder> {
  yield* foldersIn(join(codexHome, 'sessions'), false, DEEPEST, unreadable);
  yield* foldersIn(join(codexHome, 'archived_sessions'), true, DEEPEST, unreadable);
}

async function* foldersIn(
  dir: string,
  archived: boolean,
  depth: number,
  unreadable: (dir: string, error: NodeJS.ErrnoException) => void,
): AsyncGenerator<SessionFolder> {
  const entries = await entriesOf(dir, unreadable);
  if (!entries) return;
  const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  if (depth > 0)
    for (const name of below.sort().reverse())
      yield* foldersIn(join(dir, name), archived, depth - 1, unreadable);
  yield { dir, archived };
}

async function entriesOf(
  dir: string,
  unreadable: (dir: string, error: NodeJS.ErrnoException) => void,
): Promise<Dirent[] | null> {
  try {
    return await readdir(dir, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') unreadable(dir, error as NodeJS.ErrnoException);
    return null;
  }
}

export type SessionFile = { path: string; size: number; mtime: number };

/** The files of sessions right in a folder, the newest names first. null where there is no such folder any more. Throws what the disk says. */
export async function sessionFilesIn(dir: string): Promise<SessionFile[] | null> {
  const names = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (!names) return null;
  const files: SessionFile[] = [];
  for (const name of names.filter(isSessionFile).sort().reverse()) {
    const found = await sessionFileAt(join(dir, name));
    if (found) files.push(found);
  }
  return files;
}

/** null for what is gone, is no file, or is a link to one. */
export async function sessionFileAt(path: string): Promise<SessionFile | null> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isFile() ? { path, size: stats.size, mtime: stats.mtimeMs } : null;
}

function isSessionFile(name: string): boolean {
  return name.startsWith('rollout-') && name.endsWith('.jsonl');
}
