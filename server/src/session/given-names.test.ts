import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { tryLock } from '../base/file-lock.ts';
import { GivenNames } from './given-names.ts';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tscodex-names-'));
  path = join(home, 'session_index.jsonl');
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
});

const lines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1);

test('a name is a line as Codex writes it, behind those that are there', async () => {
  const names = new GivenNames(home);
  await names.give('a', '部署 "now"');
  appendFileSync(path, '{"id":"b","thread_name":"B","updated_at":"2026-01-01T00:00:00.000000001Z"}\n');
  const given = names.give('a', 'Later');
  // what is on its way is newer than what is read
  expect([names.isNews('a', 'X'), names.isNews('b', 'B')]).toEqual([false, true]);
  await given;
  expect(['Later', 'X', 'Later'].map((name) => names.isNews('a', name))).toEqual([false, true, true]);
  const [first, second, third] = lines().map((line) => JSON.parse(line));
  expect(Object.keys(first)).toEqual(['id', 'thread_name', 'updated_at']);
  expect(new Date(first.updated_at).toISOString()).toBe(first.updated_at);
  expect([first.thread_name, second.thread_name, third.thread_name]).toEqual(['部署 "now"', 'B', 'Later']);
});

test('a line that another program has left torn harms none of ours', async () => {
  appendFileSync(path, '{"id":"b","thread_na');
  await new GivenNames(home).give('a', 'Whole');
  expect(lines()[0]).toBe('{"id":"b","thread_na');
  expect(JSON.parse(lines()[1] ?? '')).toMatchObject({ id: 'a', thread_name: 'Whole' });
});

test('of several programs that write at once no line is lost, and each has its own in order', async () => {
  const writers = ['a', 'b', 'c'].map((id) => ({ id, names: new GivenNames(home) }));
  await Promise.all(
    writers.flatMap(({ id, names }) => Array.from({ length: 10 }, (_, n) => names.give(id, `${id}${n}`))),
  );
  const found = lines().map((line) => JSON.parse(line) as { id: string; thread_name: string });
  for (const { id } of writers)
    expect(found.filter((one) => one.id === id).map((one) => one.thread_name)).toEqual(
      Array.from({ length: 10 }, (_, n) => `${id}${n}`),
    );
});

test('while another program rewrites the file, a name waits', async () => {
  const lock = tryLock(`${path}.lock`);
  const names = new GivenNames(home);
  const given = names.give('a', 'Patient');
  appendFileSync(path, '{"id":"b"}\n');
  expect(lines()).toEqual(['{"id":"b"}']);
  lock?.release();
  await given;
  expect(lines()).toHaveLength(2);
});

test('what the disk refuses is told, and the next name is tried again', async () => {
  const names = new GivenNames(join('/proc', 'none'));
  await expect(names.give('a', 'x')).rejects.toMatchObject({ code: 'file.lock' });
  await expect(names.give('a', 'y')).rejects.toMatchObject({ code: 'file.lock' });
  expect(names.isNews('a', 'z')).toBe(true);
  await names.settled;
});

test("Codex's own index is told, too, where it knows the session and has a place for names", async () => {
  const open = (name: string, columns: string) => {
    const db = new Libsql(join(home, name));
    onTestFinished(() => void db.close());
    db.exec(`CREATE TABLE threads (${columns}); INSERT INTO threads (id) VALUES ('a'), ('b')`);
    return () => db.prepare('SELECT * FROM threads ORDER BY id').all();
  };
  const rows = open('state_5.sqlite', 'id TEXT, name TEXT');
  const older = open('state_4.sqlite', 'id TEXT');
  const names = new GivenNames(home);
  await names.give('a', '部署');
  await names.give('unknown', 'Nowhere');
  expect(rows()).toEqual([
    { id: 'a', name: '部署' },
    { id: 'b', name: null },
  ]);
  expect(older()).toEqual([{ id: 'a' }, { id: 'b' }]);
});

describe('an index that Codex is writing', () => {
  let index: Libsql.Database;
  beforeEach(() => {
    index = new Libsql(join(home, 'state_5.sqlite'));
    onTestFinished(() => void index.close());
    index.exec("CREATE TABLE threads (id TEXT, name TEXT); INSERT INTO threads (id) VALUES ('a'), ('b')");
    index.exec('BEGIN IMMEDIATE');
  });
  const called = () => index.prepare('SELECT name FROM threads ORDER BY id').pluck().all();

  test('is tried again, and holds up no line of the file', async () => {
    const names = new GivenNames(home);
    const given = [names.give('a', 'First'), names.give('b', 'B'), names.give('a', 'Last')];
    await expect.poll(() => existsSync(path) && lines().length).toBe(3);
    index.exec('COMMIT');
    await Promise.all(given);
    expect(called()).toEqual(['Last', 'B']);
  });

  test('and goes on to, is named as what was not written', async () => {
    const names = new GivenNames(home);
    await expect(names.give('a', 'Refused')).rejects.toMatchObject({ code: 'codex.index' });
    expect(lines()).toHaveLength(1);
    index.exec('ROLLBACK');
    await names.give('a', 'Taken');
    expect(called()).toEqual(['Taken', null]);
  });
});
