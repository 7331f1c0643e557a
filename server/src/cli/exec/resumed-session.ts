/** Which session a run goes on with. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { Failure } from '../../base/errors.ts';
import { readFirstRecord } from '../../session/first-record.ts';
import { readRolloutMeta } from '../../session/rollout-meta.ts';

export type ResumedSession = { id: string; path: string; cwd: string | null; createdAt: string | null };

const ROLLOUT = /^rollout-.*\.jsonl$/;

/** By its whole id, or the newest of a directory that no other agent has started. Throws `exec.session`. */
export async function resumedSession(
  codexHome: string,
  which: { id: string } | 'last',
  cwd: string,
): Promise<ResumedSession> {
  const folder = join(codexHome, 'sessions');
  const paths = (await readdir(folder, { recursive: true }).catch(() => []))
    .filter((name) => ROLLOUT.test(basename(name)))
    .map((name) => join(folder, name));
  const path = await (which === 'last' ? newestIn(cwd, paths) : newestOf(which.id, paths));
  if (path === null) {
    const what = which === 'last' ? `no session of ${cwd}` : `no session ${which.id}`;
    throw new Failure('unavailable', 'exec.session', `there is ${what} in ${folder}`);
  }
  const { id, cwd: place, createdAt } = await readRolloutMeta(path);
  return { id, path, cwd: place, createdAt };
}

/** A revert leaves several files for one session: the newest is the one that goes on. */
async function newestOf(id: string, paths: readonly string[]): Promise<string | null> {
  if (!z.uuid().safeParse(id).success) return null;
  const its = paths.filter((path) => basename(path).endsWith(`-${id.toLowerCase()}.jsonl`));
  return (await newestFirst(its))[0] ?? null;
}

async function newestIn(cwd: string, paths: readonly string[]): Promise<string | null> {
  for (const path of await newestFirst(paths)) {
    const first = await readFirstRecord(path).catch(() => undefined);
    const { source, cwd: place } = first?.type === 'session_meta' ? first.payload : {};
    // that of an agent which another one has started is an object
    if (place === cwd && typeof source !== 'object') return path;
  }
  return null;
}

async function newestFirst(paths: readonly string[]): Promise<string[]> {
  const dated = await Promise.all(
    paths.map(async (path) => ({ path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 })),
  );
  return dated.sort((a, b) => b.at - a.at).map(({ path }) => path);
}
