/** Sessions that people have taken away: their files lie in the state directory until nobody wants them back. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import type { Database } from '../base/database.ts';
import { Failure } from '../base/errors.ts';

/** Where a file was, and where it is until then. */
const movedFile = z.object({ from: z.string(), to: z.string() });
export type MovedFile = z.infer<typeof movedFile>;

export type DeletedSession = { id: string; files: MovedFile[]; deletedAt: string };

export const RESTORABLE_DAYS = 7;
const DAY_MS = 24 * 60 * 60 * 1000;

export function restorableUntil({ deletedAt }: Pick<DeletedSession, 'deletedAt'>): string {
  return new Date(Date.parse(deletedAt) + RESTORABLE_DAYS * DAY_MS).toISOString();
}

/** It, and those of its sub-agents that went with it. */
export function deletedSessions(db: Database, id: string): DeletedSession[] {
  return db.read('SELECT * FROM deleted_sessions WHERE id = ?1 OR parent = ?1', id).map(toDeletedSession);
}

/** Throws `session.deleted` for one that can be restored. */
export function refuseDeleted(db: Database, id: string): void {
  const deleted = deletedSessions(db, id).find((session) => session.id === id);
  if (!deleted) return;
  const until = restorableUntil(deleted).slice(0, 10);
  throw new Failure(
    'notFound',
    'session.deleted',
    `This session was deleted; it can be restored until ${until}.`,
    { details: { until } },
  );
}

/** What was deleted before and is once more keeps what lies there of it. */
export function keepDeleted(
  db: Database,
  sessions: readonly DeletedSession[],
  parent: string,
): Promise<void> {
  return db.write((run) => {
    for (const { id, files, deletedAt } of sessions)
      run(
        'INSERT OR REPLACE INTO deleted_sessions VALUES (?, ?, ?, ?)',
        ...[id, id === parent ? null : parent, JSON.stringify(files), deletedAt],
      );
  });
}

export function forgetDeleted(db: Database, ids: readonly string[]): Promise<void> {
  return db.write((run) => {
    for (const id of ids) run('DELETE FROM deleted_sessions WHERE id = ?', id);
  });
}

export function trashOf(stateDir: string, id: string): string {
  return join(stateDir, 'deleted-sessions', id);
}

/** Takes away for good what was deleted too long ago. */
export async function sweepDeleted(db: Database, stateDir: string, now = Date.now()): Promise<void> {
  const expired = new Date(now - RESTORABLE_DAYS * DAY_MS).toISOString();
  const rows = db.read('SELECT * FROM deleted_sessions WHERE deleted_at < ?', expired);
  for (const { id } of rows.map(toDeletedSession)) {
    for (const dir of [trashOf(stateDir, id), join(stateDir, 'outputs', id)])
      await rm(dir, { recursive: true, force: true });
    await db.write((run) => {
      for (const table of ['inputs', 'asks', 'started_calls', 'drafts'])
        run(`DELETE FROM ${table} WHERE session_id = ?`, id);
      run('DELETE FROM sessions WHERE id = ?', id);
      run('DELETE FROM deleted_sessions WHERE id = ?', id);
    });
  }
}

function toDeletedSession(row: Record<string, unknown>): DeletedSession {
  const files = z.array(movedFile).parse(JSON.parse(String(row.files)));
  return { id: String(row.id), files, deletedAt: String(row.deleted_at) };
}
