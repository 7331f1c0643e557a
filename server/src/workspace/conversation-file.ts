/** Whether the file of a session's conversation is there: without it a session would come back empty. */
import { stat } from 'node:fs/promises';
import type { Database } from '../base/database.ts';
import { Failure } from '../base/errors.ts';
import { wasRecorded } from '../runtime/recorded-sessions.ts';
import type { SessionRow } from '../runtime/session-rows.ts';
import { isImported } from './pycodex-tabs.ts';

/** Throws `session.file-gone`. One whose agent has not taken anything yet, whatever its turns came to, has no file. */
export async function checkConversation(
  db: Database,
  { id, rolloutPath }: Pick<SessionRow, 'id' | 'rolloutPath'>,
): Promise<void> {
  if (!isImported(db, id) && !wasRecorded(db, id)) return;
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
