/**
 * Where a process without a server keeps what does not outlive it: a directory of its own, beside those of others and
 * of a server.
 * What those before it have left, which were killed, is cleared away.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../base/file-lock.ts';
import { Placeholders } from '../exec/sandbox/placeholders.ts';
import { sweep } from '../exec/sweep.ts';
import type { Held } from './held.ts';

export type ProcessPlace = {
  dir: string;
  /** In the environment of all that it starts. */
  marker: string;
};

/** One that is younger may not be locked yet. */
const SETTLED_MS = 60_000;

/** It is gone when `held` is released. */
export async function processPlace(stateDir: string, held: Held): Promise<ProcessPlace> {
  const all = join(stateDir, 'exec');
  mkdirSync(all, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(all)) await clear(join(all, name));
  // not by its number: in containers that share the directory several processes have the same
  const dir = mkdtempSync(join(all, 'run-'));
  const lock = tryLock(join(dir, 'lock'));
  const marker = randomUUID().slice(0, 16);
  writeFileSync(join(dir, 'marker'), marker, { mode: 0o600 });
  held.add(() => {
    rmSync(dir, { recursive: true, force: true });
    lock?.release();
  });
  return { dir, marker };
}

async function clear(dir: string): Promise<void> {
  if (Date.now() - (statSync(dir, { throwIfNoEntry: false })?.mtimeMs ?? 0) < SETTLED_MS) return;
  const lock = tryLock(join(dir, 'lock'));
  if (!lock) return; // it runs
  try {
    await sweep(readFileSync(join(dir, 'marker'), 'utf8'));
    // as it begins it removes what its list names
    new Placeholders(join(dir, 'sandbox', 'placeholders.json'));
  } catch {
    // it was killed before it had written anything
  }
  rmSync(dir, { recursive: true, force: true });
  lock.release();
}
