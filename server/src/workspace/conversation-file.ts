/** Whether the file of a session's conversation is there: without it a session would come back empty. */
import { stat } from 'node:fs/promises';
import type { Database } from '../base/database.ts';
import { Failure } from '../base/errors.ts';
import type { SessionRow } from '../runtime/session-rows.ts';
import { isImported } from './pycodex-tabs.ts';

const forkedFact = (sessionId: string) => `session.forked ${sessionId}`;

/** Notes of a session that it has had a file from the start. */
export function noteOwnFile(db: Database, sessionId: string): Promise<void> {
  return db.write('INSERT OR REPLACE INTO facts (key, value) VALUES (?, ?)', forkedFact(sessionId), '');
}

function hadFile(db: Database, sessionId: string): boolean {
  return db.read('SELECT 1 FROM facts WHERE key = ?', forkedFact(sessionId)).length > 0;
}

/** Throws `session.file-gone`. A session in which nothing was said has no file yet. */
export async function checkConversation(
  db: Database,
  { id, rolloutPath, lastTurn, usage }: SessionRow,
): Promise<void> {
  if (lastTurn === null && usage === null && !isImported(db, id) && !hadFile(db, id)) return;
  const gone = await stat(rolloutPath).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
  );
  if (gone)
    throw new Failure(
      'unavailable',
      'session.file-gone',
      `The conversation of session ${id} is gone: there is no ${rolloutPath}. Put the file back to open it again.`,
      { details: { path: rolloutPath } },
    );
}
