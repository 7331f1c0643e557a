import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../base/database.ts';
import { type DatedFile, NEWEST_FIRST, newestFirst } from './newest-file.ts';

const id = (n: number) => `01a22a5e-995b-7061-bad7-${String(n).padStart(12, '0')}`;
const at = (name: string, mtimeMs: number, archived = false): DatedFile => ({
  path: `/home/_of_a_user/${archived ? 'archived_sessions' : 'sessions'}/${name}.jsonl`,
  ...{ mtimeMs, archived },
});
const usual = `rollout-2026-01-02T03-04-05-${id(1)}`;
const later = `rollout-2026-01-02T03-04-06-${id(1)}`;

test('a revert counts before when a file was written, and that before where it lies; in SQL as well', () => {
  const sorted = [
    at(`${usual}_${id(30)}`, 1, true),
    at(`${later}_${id(20)}`, 2),
    at(usual, 9),
    at(later, 8),
    at(usual, 8),
    at(later, 8, true),
  ];
  expect([...sorted].reverse().sort(newestFirst)).toEqual(sorted);

  const dir = mkdtempSync(join(tmpdir(), 'newest-file-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const migrations = ['CREATE TABLE files (path TEXT, mtime REAL, archived INTEGER)'];
  const db = openDatabase(join(dir, 'files.sqlite'), { migrations, warn: () => undefined });
  try {
    db.writeNow((run) => {
      for (const file of [...sorted].reverse())
        run('INSERT INTO files VALUES (?, ?, ?)', file.path, file.mtimeMs, Number(file.archived));
    });
    const rows = db.read<{ path: string; mtime: number }>(
      `SELECT path, mtime FROM files ORDER BY ${NEWEST_FIRST}`,
    );
    expect(rows).toEqual(sorted.map((file) => ({ path: file.path, mtime: file.mtimeMs })));
  } finally {
    db.close();
  }
});
