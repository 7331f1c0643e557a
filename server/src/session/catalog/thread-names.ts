/** `session_index.jsonl`: what Codex's sessions were called. The last line about one counts. */
import * as z from 'zod';
import type { Run } from '../../base/database.ts';
import { readJsonl } from '../../base/jsonl.ts';

const NAME_LENGTH = 200;

const entry = z.object({
  id: z.string().max(100),
  thread_name: z.string().transform((name) => name.replace(/\s+/g, ' ').trim().slice(0, NAME_LENGTH)),
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

export function keepThreadNames(run: Run, names: ThreadNames): void {
  run('DELETE FROM names');
  for (const [id, name] of names) if (name) run('INSERT INTO names VALUES (?, ?)', id, name);
}
