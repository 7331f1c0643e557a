/** Which session a run goes on with. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import { readFirstRecord } from '../../session/first-record.ts';
import { type DatedFile, newestFirst, type PlacedFile, rolloutsIn } from '../../session/newest-file.ts';
import { readRolloutMeta, threadIdOf } from '../../session/rollout-meta.ts';

export type ResumedSession = { id: string; path: string; cwd: string | null; createdAt: string | null };

/** By its whole id, or the newest of a directory that no other agent has started. Throws `exec.session`. */
export async function resumedSession(
  codexHome: string,
  which: { id: string } | 'last',
  cwd: string,
): Promise<ResumedSession> {
  const files = await Promise.all([rolloutsIn(codexHome, false), rolloutsIn(codexHome, true)]);
  const sessions = groupedById(files.flat());
  const path = await (which === 'last'
    ? lastIn(cwd, sessions)
    : newestOf(sessions.get(which.id.toLowerCase())));
  if (path === null) {
    const what = which === 'last' ? `no session of ${cwd}` : `no session ${which.id}`;
    throw new Failure('unavailable', 'exec.session', `there is ${what} in ${join(codexHome, 'sessions')}`);
  }
  const { id, cwd: place, createdAt } = await readRolloutMeta(path);
  return { id, path, cwd: place, createdAt };
}

/** The files of each session, by its id in lower case. */
function groupedById(files: readonly PlacedFile[]): Map<string, PlacedFile[]> {
  const grouped = new Map<string, PlacedFile[]>();
  for (const file of files) {
    const id = threadIdOf(file.path).toLowerCase();
    if (!z.uuid().safeParse(id).success) continue;
    grouped.set(id, [...(grouped.get(id) ?? []), file]);
  }
  return grouped;
}

/** null: it is archived, or there is none. */
async function newestOf(files: readonly PlacedFile[] | undefined): Promise<string | null> {
  const [newest] = (await dated(files ?? [])).sort(newestFirst);
  return newest && !newest.archived ? newest.path : null;
}

async function lastIn(cwd: string, sessions: ReadonlyMap<string, PlacedFile[]>): Promise<string | null> {
  const all = await Promise.all([...sessions.values()].map(dated));
  const newest = all.flatMap((files) => files.sort(newestFirst).slice(0, 1));
  for (const { path } of newest.filter(({ archived }) => !archived).sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    const first = await readFirstRecord(path).catch(() => undefined);
    const { source, cwd: place } = first?.type === 'session_meta' ? first.payload : {};
    // that of an agent which another one has started is an object
    if (place === cwd && typeof source !== 'object') return path;
  }
  return null;
}

function dated(files: readonly PlacedFile[]): Promise<DatedFile[]> {
  return Promise.all(
    files.map(async (file) => ({
      ...file,
      mtimeMs: (await stat(file.path).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
}
