/**
 * The rows of sessions that agents have started. Such a session is `open` as long as the one that started it is, so
 * that people can read it; when its agent was closed it has a `closed_at` beside that.
 */
import type { Database } from '../../base/database.ts';
import { type SessionRow, toSessionRow } from '../session-rows.ts';

export type AgentRow = SessionRow & {
  nickname: string;
  /** Its agent was closed: nothing of it runs. */
  closed: boolean;
  /** The newest of its turns of whose end the agent knows that has started it. */
  toldTurn: string | null;
};

/** Sessions below one, of all generations, itself included. */
const FAMILY = `WITH RECURSIVE family (id) AS (
  VALUES (?1) UNION SELECT sessions.id FROM sessions JOIN family ON sessions.parent_id = family.id)`;

/** Those that a session's agent has started itself, oldest first. */
export function agentsOf(db: Database, parentId: string): AgentRow[] {
  return db
    .read('SELECT * FROM sessions WHERE parent_id = ? ORDER BY created_at, rowid', parentId)
    .map(toAgentRow);
}

/** The ids of a session and of all below it. */
export function familyOf(db: Database, id: string): string[] {
  return db.read<{ id: string }>(`${FAMILY} SELECT id FROM family`, id).map((row) => row.id);
}

/** The open sessions of a workspace that agents have started, the older generations first. */
export function openAgents(db: Database, workspaceId: string): AgentRow[] {
  const rows = db.read(
    'SELECT * FROM sessions WHERE workspace_id = ? AND open = 1 AND parent_id IS NOT NULL ORDER BY created_at, rowid',
    workspaceId,
  );
  return rows.map(toAgentRow);
}

/** The session that people have begun, above one that an agent has started; itself where that is so. */
export function rootOf(db: Database, row: SessionRow): SessionRow {
  const seen = new Set<string>();
  let root = row;
  while (root.parentId !== null && !seen.has(root.id)) {
    seen.add(root.id);
    const [parent] = db.read('SELECT * FROM sessions WHERE id = ?', root.parentId);
    if (!parent) break;
    root = toSessionRow(parent);
  }
  return root;
}

/** How many generations a session is below one that people have begun. */
export function depthOf(db: Database, row: SessionRow): number {
  const [found] = db.read<{ depth: number }>(
    `WITH RECURSIVE above (id, depth) AS (
       VALUES (?1, 0)
       UNION SELECT parent_id, depth + 1 FROM sessions JOIN above USING (id)
         WHERE parent_id IS NOT NULL AND depth < 100)
     SELECT max(depth) AS depth FROM above`,
    row.id,
  );
  return found?.depth ?? 0;
}

export function isClosedAgent(db: Database, id: string): boolean {
  return db.read('SELECT 1 FROM sessions WHERE id = ? AND closed_at IS NOT NULL', id).length > 0;
}

/** Whether its end, if it has ended, is news to the agent that has started it. */
export function isUntold({ closed, lastTurn, toldTurn }: AgentRow): boolean {
  return !closed && lastTurn !== null && lastTurn.id !== toldTurn;
}

/** What waits in it is not carried out any more. */
export function closeAgents(db: Database, ids: readonly string[]): Promise<void> {
  const at = new Date().toISOString();
  return db.write((run) => {
    for (const id of ids) {
      run(
        'UPDATE sessions SET closed_at = ?, clock = NULL, wakes = NULL WHERE id = ? AND closed_at IS NULL',
        at,
        id,
      );
      run("UPDATE inputs SET state = 'withdrawn' WHERE session_id = ? AND state = 'waiting'", id);
    }
  });
}

/** As one that has done nothing yet: what it did before was told. */
export function reopenAgent(db: Database, id: string): Promise<void> {
  return db.write('UPDATE sessions SET closed_at = NULL, last_turn = NULL WHERE id = ?', id);
}

/** Those below a session that is opened again can be read again; they stay closed. */
export function showFamily(db: Database, id: string): Promise<void> {
  return db.write((run) => {
    for (const one of familyOf(db, id)) run('UPDATE sessions SET open = 1 WHERE id = ?', one);
  });
}

export function setTold(db: Database, id: string, turnId: string): Promise<void> {
  return db.write('UPDATE sessions SET told_turn = ? WHERE id = ?', turnId, id);
}

function toAgentRow(row: Record<string, unknown>): AgentRow {
  return {
    ...toSessionRow(row),
    nickname: String(row.nickname ?? row.title ?? row.id),
    closed: row.closed_at !== null,
    toldTurn: row.told_turn as string | null,
  };
}
