/** What the catalogue keeps of each file, and of what was said in it. */
import type { Database, Run } from '../../base/database.ts';
import type { LineStart } from '../../base/jsonl.ts';
import { NEWEST_FIRST } from '../newest-file.ts';
import { MOST_SAID, numberOf } from './numbers.ts';
import type { FileFacts, Said } from './read-session-file.ts';
import type { SessionFile, SessionFolder } from './session-folders.ts';
import { shortTermsOf } from './short-terms.ts';

export type KnownFile = {
  id: number;
  path: string;
  archived: boolean;
  size: number;
  mtime: number;
  place: LineStart;
  mark: string;
  /** How much was said in it: the number of what comes next. */
  said: number;
  facts: FileFacts;
};

/** Not a size: the file has not been read to its end. */
export const UNREAD = -1;

export function filesIn(db: Database, dir: string): KnownFile[] {
  return db.read('SELECT * FROM files WHERE dir = ?', dir).map(toKnownFile);
}

export function fileAt(db: Database, path: string): KnownFile | null {
  const [row] = db.read('SELECT * FROM files WHERE path = ?', path);
  return row ? toKnownFile(row) : null;
}

export function knownFolders(db: Database): string[] {
  return db.read<{ dir: string }>('SELECT DISTINCT dir FROM files').map(({ dir }) => dir);
}

/** The first number from one on that no file has. */
export function freeFileId(db: Database, from: number): number {
  const [row] = db.read<{ id: number }>(
    `SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM files WHERE id = ?1) THEN ?1 ELSE (
       SELECT min(id) + 1 FROM files AS taken WHERE id >= ?1
         AND NOT EXISTS (SELECT 1 FROM files WHERE id = taken.id + 1)) END AS id`,
    from,
  );
  return Number(row?.id);
}

/** Makes the row of a file that is about to be read from its start. */
export function beginFile(run: Run, id: number, path: string, { dir, archived }: SessionFolder): void {
  forgetSaid(run, id);
  run(
    `INSERT INTO files (id, path, dir, archived, size, mtime, read_to, next_line, mark, said)
       VALUES (?, ?, ?, ?, ${UNREAD}, 0, 0, 1, '', 0)
       ON CONFLICT (id) DO UPDATE SET size = ${UNREAD}, read_to = 0, next_line = 1, mark = '', said = 0`,
    ...[id, path, dir, archived ? 1 : 0],
  );
}

/** Forgets what may have another id by now, before a reading goes on. */
export function forgetLoose(run: Run, id: number): void {
  forgetSaid(run, id, 'AND loose = 1');
}

/** Adds to what was said in a file; returns the number of what comes next. */
export function addSaid(run: Run, id: number, next: number, said: readonly Said[]): number {
  let number = next;
  for (const { item, by, at, text, loose } of said) {
    if (number >= MOST_SAID) break;
    const rowid = numberOf(id, number);
    // an item that is told once more is there already
    run('INSERT OR IGNORE INTO said VALUES (?, ?, ?, ?, ?, ?, ?)', rowid, id, item, by, at, text, +loose);
    run('INSERT INTO grams (rowid, text) SELECT id, text FROM said WHERE id = ?', rowid);
    run('INSERT INTO terms (rowid, text) SELECT id, ? FROM said WHERE id = ?', shortTermsOf(text), rowid);
    number += 1;
  }
  run('UPDATE files SET said = ? WHERE id = ?', number, id);
  return number;
}

/** What is known once a file has been read to its end. */
export function endFile(
  run: Run,
  id: number,
  { size, mtime }: SessionFile,
  { facts, place, mark }: Pick<KnownFile, 'facts' | 'place' | 'mark'>,
): void {
  const written = new Date(mtime).toISOString();
  // a record from the future is not believed: it would stand first for ever
  const lastAt = facts.lastAt !== null && Date.parse(facts.lastAt) < mtime + DAY_MS ? facts.lastAt : written;
  run(
    `UPDATE files SET size = ?, mtime = ?, read_to = ?, next_line = ?, mark = ?, session = ?, created_at = ?,
       last_at = ?, cwd = ?, originator = ?, model = ?, preview = ?, forked_from = ?, parent = ?, base = ? WHERE id = ?`,
    ...[size, mtime, place.at, place.number, mark, facts.session, facts.createdAt ?? lastAt],
    ...[lastAt, facts.cwd, facts.originator, facts.model, facts.preview, facts.forkedFrom],
    ...[facts.parent, facts.base, id],
  );
  if (facts.session !== null) showNewest(run, facts.session);
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function forgetFile(run: Run, { id, facts }: Pick<KnownFile, 'id' | 'facts'>): void {
  forgetSaid(run, id);
  run('DELETE FROM files WHERE id = ?', id);
  if (facts.session !== null) showNewest(run, facts.session);
}

function showNewest(run: Run, session: string): void {
  run(
    `UPDATE files SET shown = (id = (SELECT id FROM files WHERE session = ?1
       ORDER BY ${NEWEST_FIRST} LIMIT 1)) WHERE session = ?1`,
    session,
  );
}

function forgetSaid(run: Run, id: number, which: '' | 'AND loose = 1' = ''): void {
  const gone = `(SELECT id FROM said WHERE file = ? ${which})`;
  run(`DELETE FROM grams WHERE rowid IN ${gone}`, id);
  run(`DELETE FROM terms WHERE rowid IN ${gone}`, id);
  run(`DELETE FROM said WHERE file = ? ${which}`, id);
}

function toKnownFile(row: Record<string, unknown>): KnownFile {
  const text = (name: string) => row[name] as string | null;
  return {
    ...{ id: Number(row.id), path: String(row.path), archived: row.archived === 1 },
    ...{ size: Number(row.size), mtime: Number(row.mtime), said: Number(row.said), mark: String(row.mark) },
    place: { at: Number(row.read_to), number: Number(row.next_line) },
    facts: {
      ...{ session: text('session'), createdAt: text('created_at'), lastAt: text('last_at') },
      ...{ cwd: text('cwd'), originator: text('originator'), model: text('model') },
      ...{ preview: text('preview'), forkedFrom: text('forked_from') },
      ...{ parent: text('parent'), base: text('base') },
    },
  };
}
