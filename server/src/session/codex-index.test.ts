import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteInCodexIndex } from './codex-index.ts';

let codexHome: string;
beforeEach(() => {
  codexHome = mkdtempSync(join(tmpdir(), 'tscodex-codex-index-'));
});
afterEach(() => rmSync(codexHome, { recursive: true }));

const ID = '01a22f2d-2d33-7c50-8048-c6fae555431b';
const file = (dir: string, name = 'rollout-1.jsonl') => join(codexHome, dir, name);

function withIndex<T>(work: (db: Libsql.Database) => T, name = 'state_5.sqlite'): T {
  const db = new Libsql(join(codexHome, name));
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const rows = () => withIndex((db) => db.prepare('SELECT * FROM threads ORDER BY id').all());

test('a session that is archived and brought back is so in the index of Codex, and nothing else is', () => {
  withIndex((db) => {
    db.exec(
      'CREATE TABLE threads (id TEXT PRIMARY KEY, rollout_path TEXT, archived INTEGER, archived_at INTEGER)',
    );
    const insert = db.prepare('INSERT INTO threads VALUES (?, ?, 0, NULL)');
    insert.run([ID, file('sessions/2026/12/01')]);
    insert.run(['other', file('sessions/2026/12/01', 'rollout-2.jsonl')]);
  });
  const [, other] = rows();
  const paths = [file('archived_sessions', 'rollout-0.jsonl'), file('archived_sessions')];
  noteInCodexIndex(codexHome, { id: ID, paths, archived: true });
  expect(rows()).toEqual([
    { id: ID, rollout_path: file('archived_sessions'), archived: 1, archived_at: expect.any(Number) },
    other,
  ]);
  noteInCodexIndex(codexHome, { id: ID, paths: [file('sessions')], archived: false });
  expect(rows()).toEqual([{ id: ID, rollout_path: file('sessions'), archived: 0, archived_at: null }, other]);
  // files that the index does not name
  noteInCodexIndex(codexHome, { id: ID, paths: [file('a', 'rollout-3.jsonl')], archived: true });
  noteInCodexIndex(codexHome, { id: 'unknown', paths: [file('a')], archived: true });
  expect(rows()).toMatchObject([{ archived: 0 }, { archived: 0 }]);
});

test('without an index none is made, and one of another form is left alone', () => {
  const moved = { id: ID, paths: [file('sessions')], archived: true };
  noteInCodexIndex(codexHome, moved);
  expect(readdirSync(codexHome)).toEqual([]);
  withIndex((db) => db.exec('CREATE TABLE threads (id TEXT, path TEXT)'), 'state_9.sqlite');
  withIndex((db) => db.exec('CREATE TABLE other (id TEXT)'), 'state_10.sqlite');
  expect(() => noteInCodexIndex(codexHome, moved)).not.toThrow();
  writeFileSync(
    join(codexHome, 'state_5.sqlite'),
    'no database at all, but long enough to be one. '.repeat(50),
  );
  expect(() => noteInCodexIndex(codexHome, moved)).toThrow(/not a database/);
});
