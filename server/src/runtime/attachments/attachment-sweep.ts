/** Takes away images that nobody sent, and files that a crash has left without a row. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../base/database.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_DAYS = 7;

/** Whether a sweep would take an image away: it looks at every file, so it is not done in vain. */
export function hasExpired(db: Database, now = Date.now()): boolean {
  const [row] = db.read<{ n: number }>(
    'SELECT count(*) AS n FROM attachments WHERE used = 0 AND created_at < ?',
    expiry(now),
  );
  return (row?.n ?? 0) > 0;
}

/** What is younger may still be sent, or be arriving right now. */
export async function sweepAttachments(db: Database, stateDir: string, now = Date.now()): Promise<void> {
  // the row first: there is none without its file
  await db.write('DELETE FROM attachments WHERE used = 0 AND created_at < ?', expiry(now));
  const root = join(stateDir, 'attachments');
  for (const workspaceId of await namesIn(root))
    await sweepFiles(db, join(root, workspaceId), workspaceId, now);
}

function expiry(now: number): string {
  return new Date(now - KEPT_DAYS * DAY_MS).toISOString();
}

async function sweepFiles(db: Database, dir: string, workspaceId: string, now: number): Promise<void> {
  const rows = db.read<{ id: string }>('SELECT id FROM attachments WHERE workspace_id = ?', workspaceId);
  const known = new Set(rows.map(({ id }) => id));
  for (const name of await namesIn(dir)) {
    if (known.has(name)) continue;
    const path = join(dir, name);
    const written = (await stat(path).catch(() => null))?.mtimeMs ?? now;
    if (written < now - DAY_MS) await rm(path, { force: true });
  }
}

async function namesIn(dir: string): Promise<string[]> {
  return readdir(dir).catch(() => []);
}
