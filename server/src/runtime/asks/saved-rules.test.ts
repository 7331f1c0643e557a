import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Rules } from '../../approvals/rules.ts';
import { type Database, openDatabase } from '../../base/database.ts';
import { migrations } from '../../base/migrations.ts';
import { SavedRules } from './saved-rules.ts';

let dir: string;
let db: Database;
let saved: SavedRules;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'saved-rules-'));
  db = openDatabase(join(dir, 'state.db'), { migrations, warn: () => undefined });
  saved = new SavedRules(new Rules(dir), db);
});
afterEach(async () => {
  db.close();
  await rm(dir, { recursive: true });
});

const file = () => join(dir, 'rules/default.rules');
/** Whose each rule is, by its words. */
const makers = async () =>
  (await saved.list()).rules.map(({ pattern, made }) => [pattern.join(' '), made?.by]);

test('a rule says who made it and when; Codex finds nothing of that in its file', async () => {
  await saved.add(['npm', 'test'], 'npm test', 'Ada');
  await saved.add(['npm', 'ci'], 'npm ci', null);
  expect((await saved.list()).rules.map(({ made }) => made)).toEqual([
    { by: 'Ada', at: expect.stringMatching(/^\d{4}-.*Z$/) },
    { by: null, at: expect.stringMatching(/Z$/) },
  ]);
  expect(await readFile(file(), 'utf8')).toBe(
    'prefix_rule(pattern=["npm", "test"], decision="allow")\nprefix_rule(pattern=["npm", "ci"], decision="allow")\n',
  );
});

test('what was there already stays whosever it was', async () => {
  await saved.add(['npm', 'test'], 'npm test', 'Ada');
  await saved.add(['npm', 'test'], 'npm test', 'Bo');
  await writeFile(file(), `${await readFile(file(), 'utf8')}prefix_rule(pattern=["npm", "ci"])\n`);
  await saved.add(['npm', 'ci'], 'npm ci', 'Bo');
  expect(await makers()).toEqual([
    ['npm test', 'Ada'],
    ['npm ci', undefined],
  ]);
});

test('a rule that forbids, or has words to choose from, was made by nobody here', async () => {
  await saved.add(['npm', 'test'], 'npm test', 'Ada');
  await writeFile(file(), 'prefix_rule(pattern=["npm", "test"], decision="prompt")\n');
  expect(await makers()).toEqual([['npm test', undefined]]);
});

test('with a rule that is revoked, or was taken out by hand, its maker is forgotten', async () => {
  await saved.add(['npm', 'test'], 'npm test', 'Ada');
  const [rule] = (await saved.list()).rules;
  await saved.remove(rule?.id ?? '');
  await writeFile(file(), 'prefix_rule(pattern=["npm", "test"])\n');
  expect(await makers()).toEqual([['npm test', undefined]]);

  await writeFile(file(), '');
  await saved.add(['npm', 'test'], 'npm test', 'Ada');
  await writeFile(file(), '');
  await saved.add(['npm', 'ci'], 'npm ci', 'Bo');
  expect(db.read('SELECT prefix FROM rules_made')).toEqual([{ prefix: '["npm","ci"]' }]);
});

test('a rule that is refused has no maker', async () => {
  await expect(saved.add(['bash'], 'bash x', 'Ada')).rejects.toMatchObject({ code: 'rules.prefix' });
  expect(db.read('SELECT * FROM rules_made')).toEqual([]);
});
