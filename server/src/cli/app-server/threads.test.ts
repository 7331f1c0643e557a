/** Threads of `tscodex app-server` that were there before. */
import { appendFile, copyFile, readdir, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import Libsql from 'libsql';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { calls, says } from '../../model/scripted-model.ts';
import { openAgentProcess } from '../agent-process.ts';
import { Held } from '../held.ts';
import { type Fields, openPlace } from './app-client.test-support.ts';
import { Client } from './client.ts';

let place: Awaited<ReturnType<typeof openPlace>>;
beforeEach(async () => {
  place = await openPlace();
});
afterEach(() => place.remove());

test('threads are resumed by another process, forked, read, listed, named, put away and brought back', async () => {
  const first = await place.client(says('One.'), says('Two.'));
  const threadId = await first.thread();
  const turns = [await first.turn(threadId, 'first words'), await first.turn(threadId, 'second words')];
  await expect(
    place.client().then((other) => other.call('thread/resume', { threadId })),
  ).rejects.toMatchObject({
    code: -32600,
    message: expect.stringContaining('being written by'),
  });
  expect(await first.end()).toBe(0);

  const client = await place.client(says('Three.'), says('Forked.'));
  expect(await client.call('thread/read', { threadId })).toMatchObject({
    thread: {
      id: threadId,
      preview: 'first words',
      status: { type: 'notLoaded' },
      modelProvider: 'gateway',
      turns: [],
    },
  });
  const resumed = await client.call('thread/resume', { threadId, sandbox: 'danger-full-access' });
  const texts = (thread: unknown) =>
    ((thread as Fields).turns as { items: Fields[] }[]).map(({ items }) =>
      items.map((item) => item.text ?? ((item.content as Fields[])[0] as Fields).text),
    );
  expect(texts(resumed.thread)).toEqual([
    ['first words', 'One.'],
    ['second words', 'Two.'],
  ]);
  expect((resumed.thread as { turns: Fields[] }).turns.map(({ id, status }) => [id, status])).toEqual(
    turns.map(({ id }) => [id, 'completed']),
  );
  await client.turn(threadId, 'third words');
  expect(client.model.requests[0]?.input.length).toBeGreaterThan(5);

  const { thread: fork } = await client.call('thread/fork', { threadId, lastTurnId: turns[0]?.id });
  expect(texts(fork)).toEqual([['first words', 'One.']]);
  expect(fork).toMatchObject({ forkedFromId: threadId });
  const forkId = (fork as { id: string }).id;
  await client.turn(forkId, 'another way');
  expect((await client.call('thread/loaded/list')).data).toEqual([threadId, forkId]);

  await client.call('thread/name/set', { threadId, name: 'Mine' });
  await client.until(
    ({ method, params }) => method === 'thread/name/updated' && params.threadName === 'Mine',
  );
  const page = await client.call('thread/list', { limit: 1, sortKey: 'updated_at' });
  expect(page.data).toMatchObject([
    { id: forkId, name: null, preview: 'first words', status: { type: 'idle' } },
  ]);
  const rest = await client.call('thread/list', { limit: 1, sortKey: 'updated_at', cursor: page.nextCursor });
  expect(rest).toMatchObject({ data: [{ id: threadId, name: 'Mine' }], nextCursor: null });
  expect((await client.call('thread/list', { searchTerm: 'mine' })).data).toHaveLength(1);
  expect((await client.call('thread/list', { cwd: '/elsewhere' })).data).toEqual([]);

  expect(await client.call('thread/archive', { threadId })).toEqual({});
  expect((await client.call('thread/list')).data).toMatchObject([{ id: forkId }]);
  expect((await client.call('thread/list', { archived: true })).data).toMatchObject([{ id: threadId }]);
  await expect(client.call('turn/start', { threadId, input: [{ type: 'text', text: 'x' }] })).rejects.toThrow(
    `thread not found: ${threadId}`,
  );
  expect(await client.call('thread/unarchive', { threadId })).toMatchObject({ thread: { id: threadId } });
  expect(await client.call('thread/unsubscribe', { threadId: forkId })).toEqual({ status: 'unsubscribed' });
  await client.until(({ method, params }) => method === 'thread/closed' && params.threadId === forkId);
  expect(await client.call('thread/unsubscribe', { threadId: forkId })).toEqual({ status: 'notLoaded' });
});

test('a fork may do what its source may now, and what the client says of it', async () => {
  const client = await place.client(says('One.'), says('Two.'), says('Three.'));
  const threadId = await client.thread({ approvalPolicy: 'never' });
  await client.turn(threadId, 'first words');
  await client.turn(threadId, 'carefully', {
    ...{ approvalPolicy: 'untrusted', sandboxPolicy: { type: 'readOnly', networkAccess: false } },
  });
  await client.call('thread/name/set', { threadId, name: 'Mine' });
  const narrow = { approvalPolicy: 'untrusted', sandbox: { type: 'readOnly', networkAccess: false } };
  const fork = await client.call('thread/fork', { threadId });
  expect(fork).toMatchObject(narrow);
  expect(await client.call('thread/fork', { threadId, sandbox: 'danger-full-access' })).toMatchObject({
    ...{ approvalPolicy: 'untrusted', sandbox: { type: 'dangerFullAccess' } },
  });
  expect(
    await client.call('thread/fork', { threadId, config: { sandbox_mode: 'workspace-write' } }),
  ).toMatchObject({ approvalPolicy: 'untrusted', sandbox: { type: 'workspaceWrite' } });

  const files = await place.conversations();
  const passing = await client.call('thread/fork', { threadId, ephemeral: true });
  expect(passing.thread).toMatchObject({ ephemeral: true, path: null, forkedFromId: threadId });
  expect((passing.thread as { turns: Fields[] }).turns).toHaveLength(2);
  expect(await place.conversations()).toEqual(files);

  // neither comes back by itself once the source, or the fork, was unloaded
  const { id: forkId } = fork.thread as { id: string };
  const leave = async (id: string) => {
    await client.call('thread/unsubscribe', { threadId: id });
    await client.until(({ method, params }) => method === 'thread/closed' && params.threadId === id);
  };
  await leave(threadId);
  expect(await client.call('thread/fork', { threadId })).toMatchObject(narrow);
  await leave(forkId);
  expect(await client.call('thread/resume', { threadId: forkId })).toMatchObject(narrow);
  await leave(forkId);
  const config = { approval_policy: 'on-request' };
  expect(await client.call('thread/resume', { threadId: forkId, config })).toMatchObject({
    ...{ ...narrow, approvalPolicy: 'on-request' },
  });
  await client.call('thread/resume', { threadId, approvalPolicy: 'never' });
  expect(await client.call('thread/fork', { threadId })).toMatchObject({
    ...narrow,
    approvalPolicy: 'never',
  });
});

test('all files of a thread are archived together, and Codex is told where they lie', async () => {
  const client = await place.client(says('One.'));
  const { thread } = await client.call('thread/start', { sandbox: 'danger-full-access' });
  const { id, path } = thread as { id: string; path: string };
  // nothing was said: there is no file, and it stays loaded
  await expect(client.call('thread/archive', { threadId: id })).rejects.toThrow('no rollout found');
  await client.turn(id, 'hello');
  // as a revert leaves it
  const reverted = `rollout-2026-01-02T03-04-05-${id}.jsonl`;
  await copyFile(path, join(dirname(path), reverted));
  await utimes(join(dirname(path), reverted), 1, 1);
  const db = new Libsql(join(place.codexHome, 'state_5.sqlite'));
  try {
    db.exec('CREATE TABLE threads (id TEXT, rollout_path TEXT, archived INTEGER, archived_at INTEGER)');
    db.prepare('INSERT INTO threads VALUES (?, ?, 0, NULL)').run([id, path]);
    const indexed = () => db.prepare('SELECT rollout_path AS path, archived FROM threads').all();
    await client.call('thread/archive', { threadId: id });
    const archive = join(place.codexHome, 'archived_sessions');
    expect((await readdir(archive)).sort()).toEqual([reverted, basename(path)].sort());
    expect(indexed()).toEqual([{ path: join(archive, basename(path)), archived: 1 }]);
    const back = await client.call('thread/unarchive', { threadId: id });
    expect(back.thread).toMatchObject({ id, path });
    expect(await readdir(archive)).toEqual([]);
    expect(await place.conversations()).toHaveLength(2);
    expect(indexed()).toEqual([{ path, archived: 0 }]);
  } finally {
    db.close();
  }
});

test('a reverted thread goes on in its newest file, and is told as what it is', async () => {
  const client = await place.client(says('Old.'));
  const { thread } = await client.call('thread/start', { sandbox: 'danger-full-access' });
  const { id, path } = thread as { id: string; path: string };
  await client.turn(id, 'taken back');
  const meta = { id, timestamp: '2026-01-02T03:04:05.000Z', cwd: place.work, history_mode: 'paginated' };
  const newest = path.replace('.jsonl', '_01a22a5e-995b-7061-bad7-000000000001.jsonl');
  await writeFile(
    newest,
    `${JSON.stringify({ timestamp: meta.timestamp, ordinal: 0, type: 'session_meta', payload: meta })}\n`,
  );
  // somebody has written into the old one since
  await utimes(newest, 1, 1);
  await client.end();

  const other = await place.client(says('New.'));
  const told = { id, path: newest, historyMode: 'paginated' };
  expect(await other.call('thread/read', { threadId: id })).toMatchObject({ thread: told });
  const asked = { threadId: id, sandbox: 'danger-full-access' };
  expect(await other.call('thread/resume', asked)).toMatchObject({ thread: { ...told, turns: [] } });
  await other.turn(id, 'said instead');
  expect((await other.call('thread/list')).data).toMatchObject([told]);
  expect(JSON.stringify(other.model.requests[0]?.input)).not.toContain('taken back');
  const { thread: fork } = await other.call('thread/fork', asked);
  expect((fork as { turns: unknown[] }).turns).toHaveLength(1);
});

test('a thread is of the provider that its own configuration names', async () => {
  const client = await place.client();
  const config = { model_provider: 'other', 'model_providers.other': { base_url: 'http://127.0.0.1:9/v2' } };
  const started = await client.call('thread/start', { sandbox: 'danger-full-access', config });
  expect(started).toMatchObject({ modelProvider: 'other', thread: { modelProvider: 'other' } });
});

test('a damaged file and a torn last line are read as far as they go', async () => {
  const first = await place.client(says('One.'));
  const threadId = await first.thread();
  await first.turn(threadId, 'hello');
  await first.end();
  const [name] = await place.conversations();
  const path = join(place.codexHome, 'sessions', name ?? '');
  await appendFile(path, '{"timestamp":"2026');
  await writeFile(
    join(place.codexHome, 'sessions', `rollout-2026-01-01T00-00-00-${crypto.randomUUID()}.jsonl`),
    'junk',
  );
  const client = await place.client(says('Two.'));
  expect((await client.call('thread/list')).data).toMatchObject([{ id: threadId }]);
  await client.call('thread/resume', { threadId, sandbox: 'danger-full-access' });
  expect(await client.turn(threadId, 'again')).toMatchObject({ status: 'completed' });
});

test('a thread that nobody listens to goes on, asks nobody, and asks again once somebody does', async () => {
  const touch = calls('exec_command', { cmd: 'touch made' });
  const client = await place.client(says('', touch), says('Made.'));
  const threadId = await client.thread({ approvalPolicy: 'untrusted' });
  const turnId = await client.say(threadId, 'make it');
  const asked = 'item/commandExecution/requestApproval';
  const first = await client.until(({ method }) => method === asked);
  await client.call('thread/unsubscribe', { threadId });
  const told = client.told.length;
  // too late: it is not waited for any more
  client.answer(first, { decision: 'accept' });
  const resumed = await client.call('thread/resume', { threadId, model: 'scripted-1' });
  expect(resumed.thread).toMatchObject({
    status: { type: 'active' },
    turns: [{ id: turnId, status: 'inProgress' }],
  });
  const second = await client.until((sent) => sent.method === asked && sent.id !== first.id);
  client.answer(second, { decision: 'accept' });
  expect(await client.endOf(turnId)).toMatchObject({ status: 'completed' });
  expect(client.of(asked)).toHaveLength(2);
  expect(client.told.slice(told).map(({ method }) => method)).not.toContain('thread/closed');

  await client.end();
  const later = await place.client();
  await later.call('thread/resume', { threadId });
  const used = await later.until(({ method }) => method === 'thread/tokenUsage/updated');
  expect(used.params).toMatchObject({ threadId, turnId, tokenUsage: { total: { totalTokens: 30 } } });
});

const requests = (...sent: [string, object][]) =>
  sent.map(([method, params], id) => JSON.stringify({ id, method, params }));
const hello = { clientInfo: { name: 'x', version: '0' } };

test.for([
  ['news', requests(['initialize', hello], ['thread/start', { sandbox: 'danger-full-access' }])],
  ['answers', requests(['initialize', hello], ...Array(20).fill(['getAuthStatus', {}]))],
  ['refusals', requests(...Array(20).fill(['getAuthStatus', {}]))],
  ['complaints about garbage', Array(20).fill('garbage')],
] as const)(
  'a client that reads none of its %s is given up before they fill the memory',
  async ([, lines]) => {
    const held = new Held();
    const { PATH } = process.env;
    const env = { PATH, HOME: place.dir, CODEX_HOME: place.codexHome };
    const fault = (what: string) => Promise.reject(new Error(what));
    const flags = {
      overrides: [],
      profile: undefined,
      sandbox: undefined,
      approval: undefined,
      stateDir: undefined,
    };
    const agents = await openAgentProcess(flags, { cwd: place.work, env, fault }, held);
    const [from, to] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
    const given = new Promise<void>((overrun) => {
      const client = new Client(from, to, { agents, cwd: place.work, fault, overrun }, 1000);
      held.add(() => client.close());
    });
    for (const line of lines) from.write(`${line}\n`);
    await given;
    await held.release();
  },
);
