/** Of which sessions anything was ever in their file. */
import type { Database, Run } from '../base/database.ts';

const recordedFact = (sessionId: string) => `session.recorded ${sessionId}`;

/** Part of a write: its file has some of the conversation, from now on for good. */
export function markRecorded(run: Run, sessionId: string): void {
  run("INSERT OR IGNORE INTO facts (key, value) VALUES (?, '')", recordedFact(sessionId));
}

export function wasRecorded(db: Database, sessionId: string): boolean {
  return db.read('SELECT 1 FROM facts WHERE key = ?', recordedFact(sessionId)).length > 0;
}
