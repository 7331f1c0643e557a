/** Which session a run goes on with. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Failure } from '../../base/errors.ts';
import { readRolloutMeta } from '../../session/rollout-meta.ts';

export type ResumedSession = { id: string; path: string; cwd: string | null; createdAt: string | null };

const ROLLOUT = /^rollout-.*\.jsonl$/;

/** Throws `exec.session` where there is none. */
export async function resumedSession(
  codexHome: string,
  which: { id: string } | 'last',
): Promise<ResumedSession> {
  const all = (await readdir(join(codexHome, 'sessions'), { recursive: true }).catch(() => []))
    .filter((name) => ROLLOUT.test(basename(name)))
    .map((name) => join(codexHome, 'sessions', name));
  const those = which === 'last' ? all : all.filter((path) => basename(path).includes(which.id));
  // a revert leaves several files for one session: the newest is the one that goes on
  const newest = await newestOf(those);
  if (newest === null) {
    const what = which === 'last' ? 'no session' : `no session ${which.id}`;
    throw new Failure('unavailable', 'exec.session', `there is ${what} in ${join(codexHome, 'sessions')}`);
  }
  const { id, cwd, createdAt } = await readRolloutMeta(newest);
  return { id, path: newest, cwd, createdAt };
}

async function newestOf(paths: readonly string[]): Promise<string | null> {
  const dated = await Promise.all(
    paths.map(async (path) => ({ path, at: (await stat(path).catch(() => null))?.mtimeMs ?? 0 })),
  );
  return dated.sort((a, b) => b.at - a.at)[0]?.path ?? null;
}
