/** `session_index.jsonl`: what Codex's sessions were called. The last line about one counts. */
import { TITLE_LIMIT } from '@tscodex/shared/limits';
import * as z from 'zod';
import type { Database, Run } from '../../base/database.ts';
import { readJsonl } from '../../base/jsonl.ts';

const entry = z.object({
  id: z.string().max(100),
  thread_name: z.string().transform((name) => name.replace(/\s+/g, ' ').trim().slice(0, TITLE_LIMIT)),
});

export type ThreadNames = ReadonlyMap<string, string>;

/** None where there is no such file. */
export async function readThreadNames(path: string): Promise<ThreadNames> {
  const names = new Map<string, string>();
  try {
    for await (const line of readJsonl(path)) {
      const found = line.damage === undefined ? entry.safeParse(line.value).data : undefined;
      if (found) names.set(found.id, found.thread_name);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return names;
}

/**
 * Those that are others than the ones that are kept. None while none was ever kept: a catalogue that is made anew
 * cannot tell what has been taken over, and taken away again, before.
 */
export function newThreadNames(db: Database, names: ThreadNames): ThreadNames {
  if (db.read('SELECT once FROM names_read').length === 0) return new Map();
  const rows = db.read<{ session: string; name: string }>('SELECT session, name FROM names');
  const kept = new Map(rows.map(({ session, name }) => [session, name]));
  return new Map([...names].filter(([id, name]) => name !== '' && kept.get(id) !== name));
}

export function keepThreadNames(run: Run, names: ThreadNames): void {
  run('DELETE FROM names');
  for (const [id, name] of names) if (name) run('INSERT INTO names VALUES (?, ?)', id, name);
  run('INSERT OR IGNORE INTO names_read VALUES (1)');
}
