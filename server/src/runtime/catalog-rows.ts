/** What the table of sessions adds to the catalogue: which sessions were open here, where, and what they are called. */
import type { Database, Run } from '../base/database.ts';

/** A session that was opened here, now or once. */
export type KnownSession = {
  id: string;
  workspaceId: string;
  title: string | null;
  cwd: string;
  model: string | null;
  path: string;
  open: boolean;
  /** Looked at in its workspace and closed there without a word: it belongs where its file says. */
  visited: boolean;
};

const VISITED = 'visiting = 1 AND open = 0';
const COLUMNS = `id, workspace_id, title, cwd, model, rollout_path, open, ${VISITED} AS visited`;

export function knownSessions(db: Database, ids: readonly string[]): Map<string, KnownSession> {
  const rows = db.read(
    `SELECT ${COLUMNS} FROM sessions WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [String(row.id), toKnownSession(row)]));
}

export function knownSession(db: Database, id: string): KnownSession | null {
  return knownSessions(db, [id]).get(id) ?? null;
}

/** Those whose own title has this in it. `pattern`: for LIKE, with `\` to escape. */
export function sessionsTitled(db: Database, pattern: string): string[] {
  const rows = db.read<{ id: string }>(`SELECT id FROM sessions WHERE title LIKE ? ESCAPE '\\'`, pattern);
  return rows.map(({ id }) => id);
}

/** Those that belong to some workspaces. */
export function sessionsOf(db: Database, workspaceIds: readonly string[]): string[] {
  const rows = db.read<{ id: string }>(
    `SELECT id FROM sessions WHERE workspace_id IN (SELECT value FROM json_each(?)) AND NOT (${VISITED})`,
    JSON.stringify(workspaceIds),
  );
  return rows.map(({ id }) => id);
}

/** Where its file is now. */
export function moveConversation(db: Database, id: string, path: string): Promise<void> {
  return db.write('UPDATE sessions SET rollout_path = ? WHERE id = ?', path, id);
}

/** A closed session becomes another workspace's: its own is gone, or was none. */
export function moveToWorkspace(db: Database, id: string, workspaceId: string, cwd: string): Promise<void> {
  return db.write('UPDATE sessions SET workspace_id = ?, cwd = ? WHERE id = ?', workspaceId, cwd, id);
}

/** Part of a write: it was opened in its workspace, and nobody has said anything in it there. */
export function markVisiting(run: Run, id: string): void {
  run('UPDATE sessions SET visiting = 1 WHERE id = ?', id);
}

function toKnownSession(row: Record<string, unknown>): KnownSession {
  return {
    ...{ id: String(row.id), workspaceId: String(row.workspace_id), cwd: String(row.cwd) },
    ...{ title: row.title as string | null, model: row.model as string | null },
    ...{ path: String(row.rollout_path), open: row.open === 1, visited: row.visited === 1 },
  };
}
