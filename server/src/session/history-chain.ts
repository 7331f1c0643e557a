/**
 * Which files a conversation lies in. Codex forks and reverts by reference: a file may begin where another one,
 * its base, is left, and that one may have a base of its own. Nothing here changes a file.
 */
import { existsSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readFirstRecord } from './first-record.ts';
import { type HistoryBase, sessionMeta } from './rollout-records.ts';

/** A file, and the number of its first record that does not count; null: all of them do. */
export type Segment = { path: string; until: number | null };

export type HistoryChain = {
  /** Oldest first; the last one is the file itself. */
  segments: Segment[];
  /** The thread whose file is not there, or leads back to one before: what came before is unknown. */
  missing: string | null;
};

/** Forks of forks; more is not a conversation but a loop that hides. */
const LONGEST = 64;

const NEWLINE = 0x0a;

/** Throws what the file system says of `path` itself. */
export async function historyChain(path: string): Promise<HistoryChain> {
  const segments: Segment[] = [{ path, until: null }];
  let base = await baseOf(path);
  let until = Number.POSITIVE_INFINITY;
  while (base) {
    const seen = new Set(segments.map((segment) => segment.path));
    const parent = segments.length < LONGEST ? await findBase(base, path, seen) : null;
    if (parent === null) return { segments, missing: base.thread_id };
    // what the younger one leaves out of it, it leaves out of all before
    until = Math.min(until, base.end_ordinal_exclusive);
    segments.unshift({ path: parent, until });
    base = await baseOf(parent);
  }
  return { segments, missing: null };
}

async function baseOf(path: string): Promise<HistoryBase | undefined> {
  const first = await readFirstRecord(path);
  return first?.type === 'session_meta' ? sessionMeta.safeParse(first.payload).data?.history_base : undefined;
}

/** A revert leaves several files for one thread: the one that ends or goes on where the reference says. */
async function findBase(base: HistoryBase, from: string, seen: ReadonlySet<string>): Promise<string | null> {
  const candidates = (await filesOf(base.thread_id, from)).filter((path) => !seen.has(path));
  for (const path of candidates) if (await hasBoundary(path, base.end_byte_offset)) return path;
  // somebody has edited it: its records still have their numbers
  return candidates[0] ?? null;
}

async function hasBoundary(path: string, offset: number | undefined): Promise<boolean> {
  if (offset === undefined || offset < 1) return false;
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, offset - 1);
    return bytesRead === 1 && buffer[0] === NEWLINE;
  } finally {
    await file.close();
  }
}

/** Where a session's file is that was here: archived since, or taken out again. The path itself where there is none. */
export async function placeOf(path: string): Promise<string> {
  if (existsSync(path)) return path;
  for (const folder of foldersAround(path)) {
    const names = await readdir(folder, { recursive: true }).catch(() => []); // not every home has an archive
    const name = names.find((one) => basename(one) === basename(path));
    if (name !== undefined) return join(folder, name);
  }
  return path;
}

/** The files of a thread beside this one and in all folders of the same CODEX_HOME, newest name first. */
async function filesOf(threadId: string, from: string): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of foldersAround(from)) {
    const names = await readdir(folder, { recursive: true }).catch(() => []); // not every home has an archive
    for (const name of names)
      if (name.endsWith('.jsonl') && basename(name).includes(threadId)) found.add(join(folder, name));
  }
  return [...found].sort((a, b) => (basename(a) < basename(b) ? 1 : -1));
}

function foldersAround(path: string): string[] {
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const name = basename(folder);
    if (name === 'sessions' || name === 'archived_sessions')
      return ['sessions', 'archived_sessions'].map((part) => join(dirname(folder), part));
  }
  return [dirname(path)];
}
