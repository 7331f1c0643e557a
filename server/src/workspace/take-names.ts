/** What sessions were called elsewhere, by Codex: the latest name counts, whoever gave it, open or closed. */
import { knownSessions } from '../runtime/catalog-rows.ts';
import { SessionStore } from '../runtime/session-store.ts';
import { titleOf } from '../runtime/title.ts';
import type { ServerServices } from './session-services.ts';

type Renamable = { renamed(title: string): Promise<void> };

/** `given`: by session. `loaded`: one that is in memory, or about to be. Throws what the database refuses. */
export async function takeNames(
  given: ReadonlyMap<string, string>,
  loaded: (sessionId: string) => Promise<Renamable | undefined>,
  { db, names }: Pick<ServerServices, 'db' | 'names'>,
): Promise<void> {
  for (const { id, title } of knownSessions(db, [...given.keys()]).values()) {
    const name = titleOf(given.get(id) ?? '');
    if (name === null || !names.isNews(id, name) || name === title) continue;
    const session = await loaded(id);
    if (!session) await new SessionStore(db, id).update({ title: name });
    // also one that was loaded meanwhile, called as before
    await (session ?? (await loaded(id)))?.renamed(name);
  }
}
