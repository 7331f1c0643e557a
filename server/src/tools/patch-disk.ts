/** The disk as patches see it: what they read while planning, and the one place that writes. */
import { randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, open, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Failure, messageOf } from '../base/errors.ts';
import { makeDirectory } from '../base/make-directory.ts';
import { type NotReadable, readRegularFile } from '../base/regular-file.ts';
import type { PatchFiles, PlannedChange } from './patch-plan.ts';

/** Bytes of one file; larger ones are no one's source text. */
const FILE_LIMIT = 8 * 1024 * 1024;

const WHY: Record<NotReadable, string> = {
  directory: 'it is a folder',
  special: 'it is not a regular file',
  large: `it is larger than ${FILE_LIMIT / 1024 / 1024} MiB`,
};

export const patchDisk: PatchFiles = {
  async folder(path) {
    const real = await reading(path, () => realpath(path));
    if (real === null || !(await stat(real)).isDirectory()) throw unusable(path, 'there is no such folder');
    return real;
  },
  realPath,
  async read(path) {
    const found = await reading(path, () => readRegularFile(path, FILE_LIMIT));
    if (typeof found === 'string') throw unusable(path, WHY[found]);
    return found;
  },
};

async function realPath(path: string): Promise<string> {
  const real = await reading(path, () => realpath(path));
  if (real !== null) return real;
  if ((await reading(path, () => lstat(path))) !== null)
    throw unusable(path, 'it is a symbolic link to nothing');
  return join(await realPath(dirname(path)), basename(path));
}

/** null where there is nothing. */
async function reading<T>(path: string, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw unusable(path, code === 'ENOTDIR' ? 'a part of the path is a file' : messageOf(error), error);
  }
}

/**
 * Writes all changes or none: new contents lie complete beside their targets before the first one takes its
 * place, and what was done is undone when a later step fails. Throws `Failure`: patch.write, all is as it was;
 * patch.damaged, something could not be undone.
 */
export async function writeChanges(changes: readonly PlannedChange[]): Promise<void> {
  const undo: Undo[] = [];
  try {
    const staged: Staged[] = [];
    for (const change of changes) staged.push(await stage(change, undo));
    for (const each of staged) await put(each, undo);
    for (const each of staged) await remove(each, undo);
  } catch (error) {
    const lost = await undoAll(undo);
    const why = `cannot be written: ${messageOf(error)}`;
    if (lost.length === 0) throw new Failure('unavailable', 'patch.write', why, { cause: error });
    const message = `${why}; these could not be put back as they were: ${lost.join(', ')}`;
    throw new Failure('unavailable', 'patch.damaged', message, { cause: error });
  }
}

type Undo = { path: string; run(): Promise<unknown> };

/** `temp` holds the new content; `like` is what the file was, for its mode and owner. */
type Staged = { change: PlannedChange; temp: string | null; like: Stats | null };

async function stage(change: PlannedChange, undo: Undo[]): Promise<Staged> {
  const like = change.before === null ? null : await stat(change.path);
  if (change.after === null) return { change, temp: null, like };
  const folder = dirname(targetOf(change));
  const created = makeDirectory(folder);
  if (created !== undefined) undo.push({ path: created, run: () => removeFolders(folder, created) });
  const temp = join(folder, `.tscodex-${randomUUID()}`);
  undo.push({ path: temp, run: () => rm(temp, { force: true }) });
  await writeWhole(temp, change.after, like);
  return { change, temp, like };
}

async function put({ change, temp, like }: Staged, undo: Undo[]): Promise<void> {
  if (temp === null) return;
  const target = targetOf(change);
  await rename(temp, target);
  const { before } = change;
  const isNew = change.kind === 'move' || before === null;
  undo.push({ path: target, run: () => (isNew ? rm(target) : restore(target, before, like)) });
}

async function remove({ change: { kind, path, before }, like }: Staged, undo: Undo[]): Promise<void> {
  if (before === null || (kind !== 'delete' && kind !== 'move')) return;
  await rm(path);
  undo.push({ path, run: () => restore(path, before, like) });
}

async function restore(path: string, content: Uint8Array, like: Stats | null): Promise<void> {
  const temp = join(dirname(path), `.tscodex-${randomUUID()}`);
  await writeWhole(temp, content, like);
  await rename(temp, path);
}

async function writeWhole(path: string, content: Uint8Array, like: Stats | null): Promise<void> {
  await using file = await open(path, 'wx');
  await file.writeFile(content);
  if (like) {
    // only root may give files away; for others the file becomes theirs, as with any editor
    await file.chown(like.uid, like.gid).catch(() => undefined);
    await file.chmod(like.mode & 0o7777);
  }
  await file.sync();
}

/** The paths of the steps that could not be undone. */
async function undoAll(undo: readonly Undo[]): Promise<string[]> {
  const lost: string[] = [];
  for (const step of undo.toReversed()) await step.run().catch(() => lost.push(step.path));
  return lost;
}

/** From `folder` up to `last`. */
async function removeFolders(folder: string, last: string): Promise<void> {
  await rmdir(folder);
  if (folder !== last) await removeFolders(dirname(folder), last);
}

function targetOf(change: PlannedChange): string {
  return change.movedTo ?? change.path;
}

function unusable(path: string, why: string, cause?: unknown): Failure {
  return new Failure('conflict', 'patch.unusable', `${path}: ${why}`, { cause });
}
