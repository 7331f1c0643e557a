/**
 * Which of several files of one session goes on. Codex goes on from a revert in a new file, whose name ends in an id of
 * its own (`rollout-<time>-<session>_<id>.jsonl`), and leaves the old one as it is.
 */
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';

export type PlacedFile = { path: string; archived: boolean };

export type DatedFile = PlacedFile & { mtimeMs: number };

/** The files of sessions in Codex's archive, or outside it, in no order. Empty where there is no such folder. */
export async function rolloutsIn(codexHome: string, archived: boolean): Promise<PlacedFile[]> {
  const folder = join(codexHome, archived ? 'archived_sessions' : 'sessions');
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names
    .filter((name) => /^rollout-.*\.jsonl$/.test(basename(name)))
    .map((name) => ({ path: join(folder, name), archived }));
}

/**
 * The same order for `ORDER BY`, over columns `path`, `mtime` and `archived`. The ids of reverts (UUID v7) rise with
 * time; when a file was last written says less, somebody may have touched an old one.
 */
export const NEWEST_FIRST =
  "CASE WHEN substr(path, -43, 1) = '_' THEN substr(path, -42) ELSE '' END DESC, mtime DESC, archived, path DESC";

/** To sort by, the one that goes on first. */
export function newestFirst(a: DatedFile, b: DatedFile): number {
  return (
    descending(revertOf(a.path), revertOf(b.path)) ||
    b.mtimeMs - a.mtimeMs ||
    Number(a.archived) - Number(b.archived) ||
    descending(a.path, b.path)
  );
}

/** Whether the first file comes from a later revert than the second. */
export function isRevertedAfter(path: string, other: string): boolean {
  return revertOf(path) > revertOf(other);
}

/** `<id>.jsonl` of a file that a revert has made, else ''. */
function revertOf(path: string): string {
  return path.at(-43) === '_' ? path.slice(-42) : '';
}

function descending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}
