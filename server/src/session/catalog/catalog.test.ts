import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readRollout } from '../rollout-reader.ts';
import type { Catalog } from './catalog.ts';
import {
  at,
  metaLine,
  openTestHome,
  saidLine,
  sessionId,
  sessionPath,
  type TestHome,
  writeLines,
  writeSession,
} from './session-files.test-support.ts';

const EVERYTHING = { archived: false, scope: null, find: null, cursor: null, limit: 50 };
const fixtures = join(import.meta.dirname, '..', 'fixtures');

async function filled(home: TestHome): Promise<Catalog> {
  const catalog = home.catalog();
  catalog.start();
  await catalog.settled;
  return catalog;
}

const listed = (catalog: Catalog) => catalog.list(EVERYTHING).rows.map(({ id }) => id);

const EVERYWHERE = {
  ...{ scope: null, archived: undefined },
  agents: (sessions: readonly string[]) => new Set(sessions.filter((id) => id !== sessionId(6))),
};

function found(catalog: Catalog, q: string): string[] {
  return catalog.search(q, EVERYWHERE, 50).sessions.map(({ row }) => row.id);
}

function foundItems(catalog: Catalog, q: string): string[] {
  return catalog.search(q, EVERYWHERE, 50).sessions.flatMap(({ hits }) => hits.map(({ itemId }) => itemId));
}

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

test('Chinese and English phrases are found in one of 2,000 sessions', { timeout: 120_000 }, async () => {
  const home = openTestHome();
  for (let n = 0; n < 2000; n++)
    writeSession(home, n, [
      `Look into ticket ${n} 请查看工单`,
      `Ticket ${n} was about caching 缓存失效的问题`,
    ]);
  writeSession(home, 777, ['Why does the flux capacitor overheat? 为什么数据库迁移失败', '因为连接池太小。']);
  const catalog = await filled(home);
  expect(catalog.indexing).toBe(null);
  for (const q of [
    ...['flux capacitor', 'FLUX', '"flux capacitor"', '"Why does"', 'overheat? why'],
    ...['数据库迁移', '数据', '迁移', '连接池', '池', 'capacitor 失败', '失败 迁'],
  ]) {
    const { sessions, cut } = catalog.search(q, EVERYWHERE, 10);
    expect([q, cut, sessions.map(({ row }) => row.id)]).toEqual([q, false, [sessionId(777)]]);
  }
  for (const q of [
    '"capacitor flux"',
    'flux tickets',
    '库据',
    '迁移工单',
    '?',
    '""',
    '"',
    '*',
    'a AND b',
    '\0',
  ])
    expect([q, found(catalog, q)]).toEqual([q, []]);
  const { sessions, cut } = catalog.search('ticket', EVERYWHERE, 10);
  expect([sessions.length, cut, sessions[0]?.hits.length, sessions[0]?.more]).toEqual([10, true, 2, 0]);
  expect(home.faults).toEqual([]);
});

test('a hit says what was said, by whom and when, and opens at the item that people are shown', async () => {
  const home = openTestHome();
  for (const name of readdirSync(fixtures).filter((one) => one.endsWith('.jsonl'))) {
    const [first = ''] = readFileSync(join(fixtures, name), 'utf8').split('\n');
    const path = sessionPath(home.codexHome, 1).replace(sessionId(1), JSON.parse(first).payload.id);
    const folder = join(dirname(path), name);
    mkdirSync(folder, { recursive: true });
    copyFileSync(join(fixtures, name), join(folder, basename(path)));
  }
  const catalog = await filled(home);
  for (const { row, hits } of catalog.search('SCN', EVERYWHERE, 50).sessions) {
    const { items } = (await readRollout(row.path)) ?? { items: [] };
    for (const hit of hits) {
      const item = items.find(({ id }) => id === hit.itemId);
      expect([row.path, hit.by, item?.type, hit.at]).toEqual([
        row.path,
        'user',
        'userMessage',
        item?.completedAt,
      ]);
      expect(hit.snippet.filter((part) => part.hit).map(({ text }) => text)).toEqual(['SCN']);
    }
  }
  expect(found(catalog, 'SCN').length).toBeGreaterThan(3);
  expect(found(catalog, '"You are Codex"')).toEqual([]);
  expect(home.faults).toEqual([]);
});

test('what people see is told from the file: first words, model, times, name, and where it comes from', async () => {
  const home = openTestHome();
  const path = sessionPath(home.codexHome, 1);
  const context = { timestamp: at(3), type: 'turn_context', payload: { model: 'gpt-x' } };
  writeLines(path, [
    metaLine(1, { cwd: '/srv/app', forked_from_id: sessionId(7), source: 'cli' }),
    saidLine(1, 'user', '<environment_context>\n  <cwd>/srv/app</cwd>\n</environment_context>'),
    saidLine(2, 'user', '  Hello,\n\n  world  '),
    context,
    { timestamp: at(4), type: 'event_msg', payload: { type: 'task_complete', turn_id: 'x' } },
  ]);
  appendFileSync(
    join(home.codexHome, 'session_index.jsonl'),
    line({ id: sessionId(1), thread_name: 'first' }),
  );
  appendFileSync(join(home.codexHome, 'session_index.jsonl'), `{"id":\n${line({ id: 1 })}`);
  appendFileSync(
    join(home.codexHome, 'session_index.jsonl'),
    line({ id: sessionId(1), thread_name: ' 部署 ' }),
  );
  const catalog = await filled(home);
  expect(catalog.list(EVERYTHING).rows).toEqual([
    {
      ...{ id: sessionId(1), path, archived: false, bytes: readFileSync(path).length },
      ...{ createdAt: at(1), lastActivityAt: at(4), cwd: '/srv/app', originator: 'codex_cli_rs' },
      ...{ model: 'gpt-x', preview: 'Hello, world', forkedFrom: sessionId(7), name: '部署' },
    },
  ]);
  expect(found(catalog, 'environment_context')).toEqual([]);
});

test('pages follow one another without a gap, also while sessions come', async () => {
  const home = openTestHome();
  for (let n = 0; n < 25; n++) writeSession(home, n, [`Q${n}`, `A${n}`]);
  const catalog = await filled(home);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = catalog.list({ ...EVERYTHING, cursor, limit: 10 });
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.next;
    if (seen.length === 10) await catalog.moved([writeSession(home, 100, ['new', 'new'])]);
  } while (cursor !== null);
  expect(seen).toEqual([...Array(25).keys()].reverse().map(sessionId));
  for (const bad of ['x', Buffer.from('[1,2]').toString('base64url'), '{}'])
    expect(() => catalog.list({ ...EVERYTHING, cursor: bad })).toThrow(
      expect.objectContaining({ kind: 'invalid', code: 'catalog.cursor' }),
    );
});

test('what is no session, or cannot be read, is left out, and stops nothing', async () => {
  const home = openTestHome();
  writeSession(home, 1, ['One', 'two']);
  const folder = dirname(sessionPath(home.codexHome, 1));
  const named = (n: number) => sessionPath(home.codexHome, n);
  writeFileSync(named(2), '');
  writeFileSync(named(3), Buffer.alloc(5000, 0xff));
  writeFileSync(named(4), `${line({ a: 1 })}[]\nnull\n"x"\n`);
  writeFileSync(join(folder, 'notes.jsonl'), line(metaLine(5)));
  writeLines(join(folder, 'rollout-of-nobody.jsonl'), [
    metaLine(6, { id: 'nobody' }),
    saidLine(6, 'user', 'x'),
  ]);
  mkdirSync(named(7));
  // its first line is torn: its name tells whose it is
  writeFileSync(named(8), `{"timestamp":"2026\n${line(saidLine(8, 'user', 'Torn but told'))}`);
  const outside = join(home.codexHome, 'outside');
  writeLines(join(outside, basename(named(9))), [metaLine(9), saidLine(9, 'user', 'outside')]);
  symlinkSync(outside, join(folder, '31'));
  symlinkSync(join(outside, basename(named(9))), named(9));
  symlinkSync('/nowhere', named(10));
  writeLines(named(11), [
    metaLine(11, { timestamp: 7, cwd: 'x'.repeat(5000) }),
    saidLine(1, 'user', '\0nul\0'),
  ]);
  const catalog = await filled(home);
  expect(listed(catalog).sort()).toEqual([1, 8, 11].map(sessionId));
  expect(found(catalog, 'outside')).toEqual([]);
  expect(found(catalog, '"Torn but"')).toEqual([sessionId(8)]);
  expect([home.faults, home.warnings]).toEqual([[], []]);
});

test.skipIf(process.getuid?.() === 0)('a folder that may not be read is named and left out', async () => {
  const home = openTestHome();
  writeSession(home, 1, ['One', 'two']);
  const closed = dirname(writeSession(home, 2, ['Three', 'four'], { folder: 'sessions/2026/10/01' }));
  chmodSync(closed, 0o000);
  const catalog = await filled(home);
  expect(listed(catalog)).toEqual([sessionId(1)]);
  expect(home.warnings).toEqual([expect.stringContaining(`leaves out ${closed}`)]);
  chmodSync(closed, 0o700);
});

test('sub-agents are not listed; what they said is found below the session that people have begun', async () => {
  const home = openTestHome();
  const child = (parent: number) => ({
    meta: {
      source: { subagent: { thread_spawn: { parent_thread_id: sessionId(parent), depth: 1 } } },
    },
  });
  writeSession(home, 1, ['Parent', 'words']);
  writeSession(home, 2, ['Child', 'words and the answer'], child(1));
  writeSession(home, 3, ['Review', 'words'], { meta: { source: { subagent: 'review' } } });
  writeSession(home, 4, ['Thread', 'words'], { meta: { thread_source: 'subagent', source: 'cli' } });
  writeSession(home, 5, ['Grandchild', 'deep words'], child(2));
  // one that cannot be shown, one whose parent is gone, and two that name each other
  writeSession(home, 6, ['Unseen', 'words'], child(1));
  writeSession(home, 7, ['Orphan', 'words'], child(99));
  writeSession(home, 8, ['Ring', 'words'], child(9));
  writeSession(home, 9, ['Ring', 'words'], child(8));
  const catalog = await filled(home);
  const hits = (q: string) =>
    catalog
      .search(q, EVERYWHERE, 50)
      .sessions.map(({ row, hits, more }) => [row.id, hits.map(({ session }) => session ?? null), more]);
  expect(listed(catalog)).toEqual([sessionId(1)]);
  // its own first
  expect(hits('words')).toEqual([[sessionId(1), [null, sessionId(2), sessionId(5)], 0]]);
  expect(hits('the answer')).toEqual([[sessionId(1), [sessionId(2)], 0]]);
  expect(foundItems(catalog, 'the answer')).toEqual([`${sessionId(2)}-3`]);
  expect(['Grandchild', 'Unseen', 'Orphan', 'Ring', 'Review'].map((q) => found(catalog, q))).toEqual([
    ...[[sessionId(1)], [], [], [], []],
  ]);
  expect(catalog.childrenOf(sessionId(1))).toEqual([sessionId(6), sessionId(2)]);
});

test('what is appended is read on from there; what was written anew is read anew', async () => {
  const home = openTestHome();
  const path = writeSession(home, 1, ['Beginning', 'of it']);
  const catalog = await filled(home);
  const tail = line(saidLine(2, 'assistant', 'A second answer'));
  appendFileSync(path, tail.slice(0, 40));
  await catalog.moved([path]);
  expect(found(catalog, 'second')).toEqual([]);
  appendFileSync(path, tail.slice(40));
  await catalog.moved([path]);
  expect(foundItems(catalog, 'second')).toEqual([`${sessionId(1)}-4`]);
  expect(foundItems(catalog, 'Beginning')).toEqual([`${sessionId(1)}-2`]);
  expect(catalog.find(sessionId(1))).toMatchObject({ lastActivityAt: at(2), preview: 'Beginning' });
  // longer, and something else
  writeLines(path, [
    metaLine(1),
    ...['Other', 'words', 'are', 'here now', 'altogether'].map((text) => saidLine(9, 'user', text)),
  ]);
  await catalog.moved([path]);
  expect([found(catalog, 'Beginning'), found(catalog, 'altogether')]).toEqual([[], [sessionId(1)]]);
  truncateSync(path, JSON.stringify(metaLine(1)).length + 1);
  await catalog.moved([path]);
  expect([found(catalog, 'altogether'), catalog.find(sessionId(1))?.preview]).toEqual([[], null]);
  rmSync(path);
  await catalog.moved([path]);
  expect([listed(catalog), home.faults]).toEqual([[], []]);
});

test('a message whose own item comes later is found once', async () => {
  const home = openTestHome();
  const path = sessionPath(home.codexHome, 1);
  const inputId = '01970000-0000-7000-8000-0000000000aa';
  const model = { ...saidLine(1, 'user', 'half written'), tscodex: { inputId } };
  const times = { startedAt: at(1), completedAt: at(1), status: 'completed', turnId: null };
  const item = {
    id: sessionId(50),
    type: 'userMessage',
    text: 'half written',
    attachments: [],
    author: null,
  };
  const own = { ...item, ...times, mode: 'steer', inputId };
  writeLines(path, [metaLine(1), model]);
  const catalog = await filled(home);
  expect(foundItems(catalog, 'half')).toEqual([`${sessionId(1)}-2`]);
  appendFileSync(path, line({ timestamp: at(1), type: 'tscodex_item', payload: own }));
  await catalog.moved([path]);
  expect(foundItems(catalog, 'half')).toEqual([sessionId(50)]);
});

test('of two files of a session the newer counts, and a revert finds what lies in the older one', async () => {
  const home = openTestHome();
  const older = join(home.codexHome, 'sessions/2026/11/29', basename(sessionPath(home.codexHome, 1)));
  const ordinal = (n: number, record: Record<string, unknown>) => ({ ...record, ordinal: n });
  const said = (n: number, role: 'user' | 'assistant', text: string) => ordinal(n, saidLine(n, role, text));
  writeLines(older, [
    ordinal(0, metaLine(1)),
    said(1, 'user', 'Kept words'),
    said(2, 'assistant', 'Kept answer'),
    said(3, 'user', 'Dropped words'),
  ]);
  const bytes = readFileSync(older, 'utf8').split('\n').slice(0, 3).join('\n').length + 1;
  const base = { thread_id: sessionId(1), end_ordinal_exclusive: 3, end_byte_offset: bytes };
  const newer = sessionPath(home.codexHome, 1).replace('.jsonl', `_${sessionId(2)}.jsonl`);
  writeLines(newer, [ordinal(3, metaLine(1, { history_base: base })), said(4, 'user', 'New words')]);
  utimesSync(older, 1000, 1000);
  const catalog = await filled(home);
  expect(catalog.list(EVERYTHING).rows).toMatchObject([
    { id: sessionId(1), path: newer, preview: 'Kept words' },
  ]);
  expect(['Kept', 'Dropped', 'New'].map((q) => foundItems(catalog, `"${q} words"`))).toEqual([
    ...[[`${sessionId(1)}-1`], [], [`${sessionId(1)}-4`]],
  ]);
  expect(catalog.forksOf(sessionId(1))).toEqual([]);
  // whoever writes into the older one does not make it count
  utimesSync(newer, 500, 500);
  await catalog.moved([newer]);
  expect(catalog.list(EVERYTHING).rows).toMatchObject([{ path: newer }]);
  expect(catalog.filesOf(sessionId(1)).map(({ path }) => path)).toEqual([newer, older]);
  rmSync(newer);
  await catalog.moved([newer]);
  expect(foundItems(catalog, '"Dropped words"')).toEqual([`${sessionId(1)}-3`]);
});

test('files that build on each other in a circle are read', async () => {
  const home = openTestHome();
  const base = { thread_id: sessionId(1), end_ordinal_exclusive: 9 };
  for (const folder of ['sessions/2026/11/29', 'sessions/2026/11/30'])
    writeSession(home, 1, ['Round', 'and round'], { folder, meta: { history_base: base } });
  writeSession(home, 2, ['Itself', 'and itself'], {
    meta: { history_base: { ...base, thread_id: sessionId(2) } },
  });
  const catalog = await filled(home);
  expect([listed(catalog).sort(), found(catalog, 'round')]).toEqual([[1, 2].map(sessionId), [sessionId(1)]]);
  expect(home.faults).toEqual([]);
});

test('a damaged catalogue is made anew, before it is opened and while it is used', async () => {
  const home = openTestHome();
  for (let n = 0; n < 20; n++) writeSession(home, n, [`Question ${n}`, 'answer']);
  const path = join(home.stateDir, 'catalog.sqlite');
  writeFileSync(path, 'this is no database, however long it may be '.repeat(500));
  const first = await filled(home);
  expect(listed(first)).toHaveLength(20);
  expect(home.warnings).toEqual([expect.stringContaining('is made anew')]);
  await first.close();
  const whole = readFileSync(path);
  writeFileSync(path, whole.fill(0x5a, 4096));
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
  const second = await filled(home);
  expect([listed(second).length, found(second, 'question').length]).toEqual([20, 20]);
  expect(home.warnings).toHaveLength(2);
  await second.close();
  rmSync(path);
  const third = await filled(home);
  expect([listed(third).length, home.faults]).toEqual([20, []]);
});

test('what was read before is not read again at the next start', async () => {
  const home = openTestHome();
  const path = writeSession(home, 1, ['Once', 'read']);
  const first = await filled(home);
  await first.close();
  const time = new Date(1_700_000_000_000);
  utimesSync(path, time, time);
  const second = await filled(home);
  await second.close();
  // as nobody does: other bytes under the same size and time
  writeFileSync(path, readFileSync(path, 'utf8').replace('Once', 'Else'));
  utimesSync(path, time, time);
  const third = await filled(home);
  expect([found(third, 'once'), found(third, 'else')]).toEqual([[sessionId(1)], []]);
});

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
};

test('the first session of all is noticed, though there was no folder to watch', async () => {
  const home = openTestHome();
  const catalog = await filled(home);
  writeSession(home, 1, ['First', 'words']);
  await until(() => found(catalog, 'First').length === 1);
});

test('sessions that come, grow and go while it runs are noticed', async () => {
  const home = openTestHome();
  const path = writeSession(home, 1, ['First', 'words']);
  const catalog = await filled(home);
  appendFileSync(path, line(saidLine(2, 'user', 'appended')));
  await until(() => found(catalog, 'appended').length === 1);
  writeSession(home, 2, ['Of a new day', 'words'], { folder: 'sessions/2026/12/01' });
  await until(() => found(catalog, '"new day"').length === 1);
  writeSession(home, 3, ['Of the same day', 'words'], { folder: 'sessions/2026/12/01' });
  await until(() => found(catalog, '"same day"').length === 1);
  rmSync(join(home.codexHome, 'sessions/2026/12'), { recursive: true });
  await until(() => listed(catalog).length === 1);
  writeSession(home, 2, ['Of that day again', 'words'], { folder: 'sessions/2026/12/01' });
  await until(() => found(catalog, '"day again"').length === 1);
  mkdirSync(join(home.codexHome, 'archived_sessions'), { recursive: true });
  renameSync(path, join(home.codexHome, 'archived_sessions', basename(path)));
  await until(() => !listed(catalog).includes(sessionId(1)));
  appendFileSync(
    join(home.codexHome, 'session_index.jsonl'),
    line({ id: sessionId(2), thread_name: 'Named' }),
  );
  await until(() => catalog.find(sessionId(2))?.name === 'Named');
});

test('a search among archived sessions finds all of them, however many others have the words', async () => {
  const home = openTestHome();
  for (let n = 0; n < 40; n++) writeSession(home, n, ['everywhere', 'yes']);
  for (let n = 40; n < 43; n++) writeSession(home, n, ['everywhere', 'yes'], { folder: 'archived_sessions' });
  const catalog = await filled(home);
  const ids = (archived?: boolean) =>
    catalog.search('everywhere', { ...EVERYWHERE, archived }, 10).sessions.map(({ row }) => row.id);
  expect(ids(true)).toEqual([42, 41, 40].map(sessionId));
  expect(ids(false)).toEqual(Array.from({ length: 10 }, (_, n) => sessionId(39 - n)));
  expect(ids()).toEqual(ids(false));
});

test('a session that was only opened was not at work: what it tells of itself changes no order', async () => {
  const home = openTestHome();
  const path = writeSession(home, 1, ['old', 'yes']);
  writeSession(home, 2, ['newer', 'yes']);
  const payload = { id: 'x', type: 'notice', turnId: null, status: 'completed', text: 'It was moved.' };
  appendFileSync(path, line({ timestamp: at(60), type: 'tscodex_item', payload }));
  const catalog = await filled(home);
  expect(catalog.list(EVERYTHING).rows.map(({ id, lastActivityAt }) => [id, lastActivityAt])).toEqual([
    [sessionId(2), at(2)],
    [sessionId(1), at(1)],
  ]);
});

test('what somebody waits for is looked at while all the others are still being read', async () => {
  const home = openTestHome();
  for (let n = 0; n < 500; n++) writeSession(home, n, [`Question ${n}`, 'answer']);
  const catalog = home.catalog();
  catalog.start();
  while (!catalog.indexing?.total) await new Promise(setImmediate);
  const gone = sessionPath(home.codexHome, 3);
  rmSync(gone);
  await catalog.moved([writeSession(home, 999, ['Waited for', 'answer']), gone]);
  expect(found(catalog, '"waited for"')).toEqual([sessionId(999)]);
  expect(catalog.indexing).not.toBe(null);
  await catalog.moved([join(home.stateDir, 'deleted-sessions/x/0-rollout-1.jsonl'), '/etc/passwd']);
  await catalog.settled;
  expect([catalog.indexing, catalog.list({ ...EVERYTHING, limit: 200 }).next]).toEqual([
    null,
    expect.any(String),
  ]);
});

test('files that are written and deleted while they are read harm nothing', async () => {
  const home = openTestHome();
  const paths = [...Array(300).keys()].map((n) => writeSession(home, n, [`Question ${n}`, 'answer']));
  const catalog = home.catalog();
  catalog.start();
  for (const [n, path] of paths.entries()) {
    if (n % 3 === 0) rmSync(path);
    if (n % 3 === 1) appendFileSync(path, line(saidLine(n, 'user', `appended ${n}`)));
    if (n % 50 === 0) await new Promise(setImmediate);
  }
  await catalog.settled;
  await catalog.moved(paths);
  expect(listed(catalog)).toHaveLength(50);
  expect(catalog.search('appended', EVERYWHERE, 200).sessions).toHaveLength(100);
  expect(home.faults).toEqual([]);
});

test('a huge file is read in pieces', async () => {
  const home = openTestHome();
  const path = writeSession(home, 1, ['Needle at the start', 'and then']);
  const output = line({
    timestamp: at(1),
    type: 'response_item',
    payload: { type: 'function_call_output', call_id: 'c', output: 'x'.repeat(1024 * 1024) },
  });
  for (let n = 0; n < 100; n++) appendFileSync(path, output);
  appendFileSync(path, line(saidLine(5, 'assistant', 'Needle at the end')));
  const catalog = await filled(home);
  expect(foundItems(catalog, 'needle')).toEqual([`${sessionId(1)}-104`, `${sessionId(1)}-2`]);
});
