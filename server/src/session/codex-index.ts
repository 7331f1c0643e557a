/**
 * Codex's own index of its sessions, one SQLite file a version of it. Codex looks for no file that lies elsewhere than
 * its index says, and resumes none that is archived there: what is moved without the index is lost to it for good.
 */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import Libsql from 'libsql';

/** Milliseconds that this process stands still, at the most, while Codex writes there: what is moved cannot wait. */
const PATIENCE = { moved: 500, named: 50 };

/**
 * Notes where the files of a session lie now. What Codex does not know yet it finds by itself, and indexes of another
 * form are left alone. Throws what SQLite does.
 */
export function noteInCodexIndex(
  codexHome: string,
  { id, paths, archived }: { id: string; paths: readonly string[]; archived: boolean },
): void {
  const columns = ['id', 'rollout_path', 'archived', 'archived_at'];
  inEachIndex(codexHome, { columns, patience: PATIENCE.moved }, (db) => {
    const known = db.prepare('SELECT rollout_path AS path FROM threads WHERE id = ?').get([id]) as
      | { path: string }
      | undefined;
    // a session may have several files; the index names one of them
    const path = known && paths.find((one) => basename(one) === basename(known.path));
    if (path === undefined) return;
    db.prepare(
      `UPDATE threads SET rollout_path = ?1, archived = ?2, archived_at = CASE ?2 WHEN 1 THEN coalesce(archived_at, ?3) END
       WHERE id = ?4`,
    ).run([path, archived ? 1 : 0, Math.floor(Date.now() / 1000), id]);
  });
}

/** Notes what a session is called: of those that Codex has made itself it asks nothing else. As `noteInCodexIndex`. */
export function nameInCodexIndex(codexHome: string, id: string, name: string): void {
  inEachIndex(codexHome, { columns: ['id', 'name'], patience: PATIENCE.named }, (db) =>
    db.prepare('UPDATE threads SET name = ? WHERE id = ?').run([name, id]),
  );
}

/** In those whose table of sessions has these columns. */
function inEachIndex(
  codexHome: string,
  { columns, patience }: { columns: readonly string[]; patience: number },
  note: (db: Libsql.Database) => void,
): void {
  for (const file of readdirSync(codexHome)) {
    if (!/^state_\d+\.sqlite$/.test(file)) continue;
    const db = new Libsql(join(codexHome, file), { timeout: patience });
    try {
      const found = db.prepare("SELECT name FROM pragma_table_info('threads')").all() as { name: string }[];
      if (columns.every((column) => found.some(({ name }) => name === column))) note(db);
    } finally {
      db.close();
    }
  }
}
