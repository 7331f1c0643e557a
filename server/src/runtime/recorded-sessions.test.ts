import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../base/database.ts';
import { migrations } from '../base/migrations.ts';
import { wasRecorded } from './recorded-sessions.ts';

const BEFORE = migrations.findIndex((sql) => sql.includes('session.recorded'));

test('of sessions from before it is known, but for those whose message still waits', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'tscodex-recorded-'));
  const open = (steps: readonly string[]) =>
    openDatabase(join(dir, 'state.db'), { migrations: steps, warn: () => undefined });
  try {
    const old = open(migrations.slice(0, BEFORE));
    const ended = (status: string) => JSON.stringify({ id: 't', status, at: '' });
    const sessions = [
      ['new', null],
      ['answered', ended('completed')],
      ['failed', ended('failed')],
      ['waits', ended('failed')],
      ['answered-waits', ended('completed')],
      ['fork', null],
    ] as const;
    for (const [id, lastTurn] of sessions)
      old.writeNow(
        `INSERT INTO sessions (id, workspace_id, cwd, rollout_path, backend, created_at, last_activity_at, position,
           last_turn) VALUES (?, 'w', '/', '/r', 'codex-exec', '', '', 1, ?)`,
        ...[id, lastTurn],
      );
    for (const id of ['waits', 'answered-waits'])
      old.writeNow(
        "INSERT INTO inputs (session_id, id, seq, mode, body) VALUES (?, 'i', 1, 'queue', '{}')",
        id,
      );
    old.writeNow("INSERT INTO facts (key, value) VALUES ('session.forked fork', '')");
    old.close();
    const db = open(migrations);
    expect(sessions.map(([id]) => id).filter((id) => wasRecorded(db, id))).toEqual([
      ...['answered', 'failed', 'answered-waits', 'fork'],
    ]);
    db.close();
  } finally {
    await rm(dir, { recursive: true });
  }
});
