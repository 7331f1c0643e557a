/** Which session a rollout file is of. */
import { basename } from 'node:path';
import { readFirstRecord } from './first-record.ts';
import { sessionMeta } from './rollout-records.ts';

export type RolloutMeta = { id: string; cwd: string | null; createdAt: string | null };

/** What its first record says, and its name where that cannot be read. Throws what the file system says. */
export async function readRolloutMeta(path: string): Promise<RolloutMeta> {
  const record = await readFirstRecord(path);
  const meta = record?.type === 'session_meta' ? sessionMeta.safeParse(record.payload).data : undefined;
  if (meta) return { id: meta.id, cwd: meta.cwd ?? null, createdAt: meta.timestamp ?? null };
  return { id: threadIdOf(path), cwd: null, createdAt: null };
}

/** The first UUID of the file's name; the name itself for a file that was renamed. */
export function threadIdOf(path: string): string {
  const name = basename(path, '.jsonl');
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.exec(name)?.[0] ?? name;
}
