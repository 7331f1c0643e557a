/** Whether the file of a session's conversation is there: without it a session would come back empty. */
import { stat } from 'node:fs/promises';
import type { Database } from '../base/database.ts';
import { Failure } from '../base/errors.ts';
import type { SessionRow } from '../runtime/session-rows.ts';
import { isImported } from './pycodex-tabs.ts';

/** Throws `session.file-gone`. A session in which nothing was said has no file yet. */
export async function checkConversation(
  db: Database,
  { id, rolloutPath, lastTurn, usage }: SessionRow,
): Promise<void> {
  if (lastTurn === null && usage === null && !isImported(db, id)) return;
  const gone = await stat(rolloutPath).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR',
  );
  if (gone)
    throw new Failure(
      'unavailable',
      'session.file-gone',
      `The conversation of session ${id} is gone: there is no ${rolloutPath}. Put the file back to open it again.`,
    );
}
