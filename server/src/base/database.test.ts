import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { migrations } from './migrations.ts';
import { killAfter, spawnSnippet } from './snippet.test-support.ts';

let dir: string;
let open: Database[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'database-'));
  open = [];
});
afterEach(() => {
  for (const db of open) db.close();
  rmSync(dir, { recursive: true });
});

function database(steps: readonly string[] = ['CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)']): Database {
  const db = openDatabase(join(dir, 'state.db'), { migrations: steps, warn: () => undefined });
  open.push(db);
  return db;
}

test('the schema is made and only its owner can read the file', () => {
  const db = database(migrations);
  const tables = db.read<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name",
  );
  expect(tables.map((table) => table.name)).toEqual([
    'asks',
    'attachments',
    'deleted_sessions',
    'drafts',
    'facts',
    'inputs',
    'logins',
    'rules_made',
    'sessions',
    'started_calls',
  ]);
  expect(statSync(join(dir, 'state.db')).mode & 0o777).toBe(0o600);
});

test('later migrations are applied once, to what is there', () => {
  const first = ['CREATE TABLE t (a TEXT)'];
  const db = database(first);
  db.writeNow('INSERT INTO t VALUES (?)', 'kept');
  db.close();
  const again = database([...first, "ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'new'"]);
  expect(again.read('SELECT * FROM t')).toEqual([{ a: 'kept', b: 'new' }]);
});

test('a database of a newer version is refused, not touched', () => {
  database(['CREATE TABLE t (a)', 'CREATE TABLE u (a)']);
  expect(() => database(['CREATE TABLE t (a)'])).toThrow(/has version 2, this program knows 1/);
});

test('a failed migration leaves the schema as it was', () => {
  expect(() => database(['CREATE TABLE t (a)', 'CREATE TABLE u (a); CREATE TABLE t (a)'])).toThrow(
    /t already exists/,
  );
  expect(database(['CREATE TABLE t (a)']).read('SELECT name FROM sqlite_schema')).toEqual([{ name: 't' }]);
});

test('a file that is no database, or cannot be one, is named with the way out', () => {
  writeFileSync(join(dir, 'garbage.db'), 'this is no database '.repeat(100));
  for (const path of [join(dir, 'garbage.db'), join(dir, 'nowhere', 'state.db')])
    expect(() => openDatabase(path, { migrations: [], warn: () => undefined })).toThrow(
      expect.objectContaining({
        code: 'state.database',
        message: expect.stringMatching(new RegExp(`${path}.*--state-dir`)),
      }),
    );
});

test('once closed it refuses, and does so by rejecting', async () => {
  const db = database();
  db.close();
  await expect(db.write('INSERT INTO t VALUES (1, NULL)')).rejects.toMatchObject({ code: 'state.write' });
  expect(() => db.read('SELECT 1')).toThrow(expect.objectContaining({ code: 'state.write' }));
  expect(() => db.writeNow('SELECT 1')).toThrow(/closed/);
  db.close();
});

test('writes of one tick are seen together, once they resolve', async () => {
  const db = database();
  const one = db.write('INSERT INTO t VALUES (1, ?)', 'one');
  const two = db.write((run) => {
    run('INSERT INTO t VALUES (2, NULL)');
    run('UPDATE t SET b = ? WHERE a = 1', 'changed');
  });
  expect(db.read('SELECT * FROM t')).toEqual([]);
  await one;
  expect(db.read('SELECT * FROM t ORDER BY a')).toEqual([
    { a: 1, b: 'changed' },
    { a: 2, b: null },
  ]);
  await two;
});

test('one that fails is undone whole and takes no other along', async () => {
  const db = database();
  const results = await Promise.allSettled([
    db.write('INSERT INTO t VALUES (1, ?)', 'one'),
    db.write((run) => {
      run('INSERT INTO t VALUES (2, ?)', 'half');
      run('INSERT INTO t VALUES (1, ?)', 'again');
    }),
    db.write(() => {
      throw new RangeError('a bug');
    }),
    db.write('INSERT INTO t VALUES (3, ?)', 'three'),
  ]);
  expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(results[2]).toMatchObject({ reason: { name: 'RangeError', message: 'a bug' } });
  expect(db.read('SELECT a FROM t ORDER BY a')).toEqual([{ a: 1 }, { a: 3 }]);
});

test('writeNow commits what waits first, then itself, and throws its own error', async () => {
  const db = database();
  const before = db.write('INSERT INTO t VALUES (1, ?)', 'one');
  db.writeNow('UPDATE t SET b = ? WHERE a = 1', 'two');
  expect(db.read('SELECT b FROM t')).toEqual([{ b: 'two' }]);
  await before;
  expect(() => db.writeNow('INSERT INTO t VALUES (1, NULL)')).toThrow(/UNIQUE/);
});

test('closing commits what waits', async () => {
  const db = database();
  const write = db.write('INSERT INTO t VALUES (7, ?)', 'kept');
  db.close();
  await write;
  expect(database().read('SELECT a FROM t')).toEqual([{ a: 7 }]);
});

test('a full disk rejects all of the tick with state.write, and the next one succeeds', async () => {
  const db = database();
  const [{ page_count: pages } = { page_count: 0 }] = db.read<{ page_count: number }>('PRAGMA page_count');
  db.read(`PRAGMA max_page_count = ${pages + 2}`);
  const results = await Promise.allSettled([
    db.write('INSERT INTO t VALUES (1, ?)', 'small'),
    db.write('INSERT INTO t VALUES (2, ?)', 'x'.repeat(100_000)),
  ]);
  const refused = { status: 'rejected', reason: { code: 'state.write', kind: 'unavailable' } };
  expect(results).toMatchObject([refused, refused]);
  await db.write('INSERT INTO t VALUES (3, ?)', 'fits');
  expect(db.read('SELECT a FROM t')).toEqual([{ a: 3 }]);
});

test('what was acknowledged survives kill -9', async () => {
  const child = await spawnSnippet(
    dir,
    `import { openDatabase } from './database.ts';
     import { writeSync } from 'node:fs';
     const db = openDatabase(${JSON.stringify(join(dir, 'state.db'))}, {
       migrations: ['CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT)'], warn: () => {} });
     for (let i = 0; ; i += 3) {
       const said = [i, i + 1, i + 2].map((n) =>
         db.write('INSERT INTO t VALUES (?, ?)', n, 'x'.repeat(500)).then(() => writeSync(1, n + '\\n')));
       await Promise.all(said);
     }`,
  );
  const acknowledged = await killAfter(child, 100);
  const kept = database().read<{ a: number }>('SELECT a FROM t ORDER BY a');
  expect(acknowledged.length).toBeGreaterThanOrEqual(100);
  expect(kept.map((row) => row.a)).toEqual(expect.arrayContaining(acknowledged));
  expect(kept.map((row) => row.a)).toEqual([...kept.keys()]);
});
