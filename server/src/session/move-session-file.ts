/** Moves sessions' files: into Codex's archive and back, and where what is deleted waits. */
import { copyFile, mkdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure, messageOf } from '../base/errors.ts';
import type { FileLock } from '../base/file-lock.ts';
import { takeWriterLock } from './writer-lock.ts';

/** Where Codex keeps the file once its session is archived. */
function archivedPath(codexHome: string, path: string): string {
  return join(codexHome, 'archived_sessions', basename(path));
}

/** The folder of its day, which its name tells; `createdAt` where it does not. */
function sessionPathOf(codexHome: string, path: string, createdAt: string): string {
  const name = basename(path);
  const [, year, month, day] =
    /^rollout-(\d{4})-(\d\d)-(\d\d)T/.exec(name) ?? /^(\d{4})-(\d\d)-(\d\d)T/.exec(createdAt) ?? [];
  const folder = join(codexHome, 'sessions');
  return year && month && day ? join(folder, year, month, day, name) : join(folder, name);
}

export type Move = { from: string; to: string };

/**
 * Where each file of a session lies once it is in the archive, or out of it: Codex goes on with none that it finds in
 * half. `createdAt`: of the session. Throws `session.same-name`.
 */
export function archiveMoves(
  codexHome: string,
  files: readonly { path: string; archived: boolean }[],
  { archived, createdAt }: { archived: boolean; createdAt: string },
): Move[] {
  if (files.some((file) => file.archived !== archived)) refuseNamesakes(files.map(({ path }) => path));
  return files.map(({ path, archived: isArchived }) => {
    if (isArchived === archived) return { from: path, to: path };
    const to = archived ? archivedPath(codexHome, path) : sessionPathOf(codexHome, path, createdAt);
    return { from: path, to };
  });
}

/**
 * All that are still there, or none of them, while nobody else writes these sessions. Throws `session.locked`,
 * `session.file-exists`, `session.file-move`.
 */
export async function moveTogether(
  codexHome: string,
  ids: readonly string[],
  moves: readonly Move[],
): Promise<void> {
  const locks: FileLock[] = [];
  const moved: Move[] = [];
  try {
    for (const id of ids) locks.push(takeWriterLock(codexHome, id));
    for (const { from, to } of moves) {
      if (from === to || !(await isThere(from))) continue;
      await moveSessionFile(from, to);
      moved.push({ from, to });
    }
  } catch (error) {
    for (const { from, to } of moved) await moveSessionFile(to, from);
    throw error;
  } finally {
    for (const lock of locks) lock.release();
  }
}

/** Files of one name can neither lie in the archive both nor come out of it. Throws `session.same-name`. */
function refuseNamesakes(paths: readonly string[]): void {
  for (const [at, path] of paths.entries()) {
    const other = paths.slice(at + 1).find((one) => basename(one) === basename(path));
    if (other !== undefined)
      throw new Failure(
        'conflict',
        'session.same-name',
        `This session has two files of one name, ${path} and ${other}: move one of them away, then try again.`,
        { details: { path, other } },
      );
  }
}

/** Never onto another file. Throws `session.file-exists`, and `session.file-move` for what the disk refuses. */
export async function moveSessionFile(from: string, to: string): Promise<void> {
  if (await isThere(to))
    throw new Failure(
      'conflict',
      'session.file-exists',
      `There is ${to} already: move it away, then try again.`,
      {
        details: { path: to },
      },
    );
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await moveTo(from, to);
  } catch (cause) {
    const message = `cannot move ${from} to ${to}: ${messageOf(cause)}`;
    throw new Failure('unavailable', 'session.file-move', message, { cause });
  }
}

async function moveTo(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
    await unlink(from);
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
