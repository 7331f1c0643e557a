import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Database, openDatabase } from '../../base/database.ts';
import { migrations } from '../../base/migrations.ts';
import { temporaryDirectory } from '../test-server.test-support.ts';
import { LoginSessions } from './login-sessions.ts';
import { databaseLoginStore } from './login-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const about = { name: 'Ada', userAgent: 'test' };

async function openStore(): Promise<{
  db: Database;
  sessionsOf: (secret: string) => LoginSessions;
  clock: { now: number };
}> {
  const path = join(await temporaryDirectory(), 'state.sqlite');
  const db = openDatabase(path, { migrations, warn: () => undefined });
  onTestFinished(() => db.close());
  const clock = { now: Date.UTC(2026, 0, 1) };
  const store = databaseLoginStore(db);
  const sessionsOf = (fingerprint: string) => new LoginSessions({ store, fingerprint, now: () => clock.now });
  return { db, sessionsOf, clock };
}

test('a login is found by its token alone, until it is ended', async () => {
  const { db, sessionsOf } = await openStore();
  const sessions = sessionsOf('a');
  const { cookie: token } = await sessions.open(about);
  const login = sessions.find(token);
  expect(login).toEqual({ id: expect.stringMatching(/^[0-9a-f]{64}$/), name: 'Ada' });
  expect(JSON.stringify(db.read('SELECT * FROM logins'))).not.toContain(token);
  expect(sessions.find(login?.id ?? '')).toBeNull();
  await sessions.rename(login?.id ?? '', 'Grace');
  expect(sessions.find(token)?.name).toBe('Grace');
  await sessions.end(login?.id ?? '');
  expect(sessions.find(token)).toBeNull();
  expect(sessions.has(login?.id ?? '')).toBe(false);
});

test('a login ends 90 days after it was last used', async () => {
  const { sessionsOf, clock } = await openStore();
  const sessions = sessionsOf('a');
  const { cookie: token } = await sessions.open(about);
  for (let i = 0; i < 3; i++) {
    clock.now += 80 * DAY_MS;
    expect(sessions.find(token)).not.toBeNull();
    // the use is written behind the answer
    await new Promise(setImmediate);
  }
  clock.now += 91 * DAY_MS;
  expect(sessions.find(token)).toBeNull();
});

test('logins of another secret are void, and swept out with the next login', async () => {
  const { db, sessionsOf } = await openStore();
  const { cookie: token } = await sessionsOf('old').open(about);
  expect(sessionsOf('new').find(token)).toBeNull();
  await sessionsOf('new').open(about);
  expect(db.read('SELECT secret_fingerprint AS of FROM logins')).toEqual([{ of: 'new' }]);
});

test('the newest thousand are kept', async () => {
  const { db, sessionsOf, clock } = await openStore();
  db.writeNow((run) => {
    for (let i = 0; i < 1200; i++) {
      const at = new Date(clock.now - i * 1000).toISOString();
      run('INSERT INTO logins VALUES (?, ?, ?, NULL, ?, NULL)', `hash ${i}`, at, at, 'a');
    }
  });
  await sessionsOf('a').open(about);
  expect(db.read('SELECT count(*) AS n, min(last_seen_at) AS oldest FROM logins')).toEqual([
    { n: 1000, oldest: new Date(clock.now - 998_000).toISOString() },
  ]);
});
