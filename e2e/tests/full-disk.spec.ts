/** A disk without room: nothing is acknowledged that is not saved, nothing saved is lost, and it goes on with room. */
import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { SessionState } from '@tscodex/shared/session-state';
import { runCommand } from '../support/command.ts';
import { answered, notices, said } from '../support/conversation.ts';
import { FakeModel } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import { Box, type RunningServer } from '../support/server.ts';
import { SmallDisk } from '../support/small-disk.ts';
import { test } from '../support/stage.ts';

let box: Box;
let disk: SmallDisk;
let model: FakeModel;
let server: RunningServer | undefined;

test.beforeEach(async () => {
  model = await FakeModel.start();
  box = await Box.make({ modelUrl: model.url });
  const mounted = SmallDisk.mount(join(box.dir, 'small'));
  test.skip(mounted === null, 'mounting needs root');
  disk = mounted as SmallDisk;
});

test.afterEach(async () => {
  await server?.kill();
  server = undefined;
  disk?.unmount();
  await model.stop();
  await box.remove();
});

/** With the named places on the small disk. */
async function start(...small: ('state' | 'conversations')[]): Promise<RunningServer> {
  const codexHome = small.includes('conversations') ? join(disk.dir, 'codex') : box.codexHome;
  const stateDir = join(small.includes('state') ? disk.dir : box.dir, 'state');
  const flags = ['--config', join(box.codexHome, 'config.toml'), '--state-dir', stateDir];
  server = await box.start(flags, { CODEX_HOME: codexHome });
  return server;
}

async function restart(old: RunningServer, ...small: ('state' | 'conversations')[]): Promise<RunningServer> {
  expect(await old.kill('SIGTERM')).toBe(0);
  return start(...small);
}

/** Everything in the conversations' files is whole, line by line. */
async function expectWholeLines(home: string): Promise<void> {
  const names = await readdir(join(home, 'sessions'), { recursive: true });
  for (const name of names.filter((candidate) => candidate.endsWith('.jsonl'))) {
    const text = await readFile(join(home, 'sessions', name), 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    for (const line of text.trimEnd().split('\n')) JSON.parse(line);
  }
}

test('inputs are refused with 503 and not acknowledged; with room everything works', async () => {
  const server = await start('state', 'conversations');
  const session = await server.newSession();
  const acknowledged = ['before'];
  await server.send(session, 'before');
  await server.idle(session);

  disk.fill();
  const refused = [];
  // the log of the database may still hold room for a small one: what is said about each must be true
  for (const [n, size] of [200_000, 60_000, 20_000, 6_000, 100].entries()) {
    const text = `${n} ${'x'.repeat(size)}`;
    const body = { id: randomUUID(), text, mode: 'queue' };
    const response = await server.request('POST', `api/sessions/${session}/inputs`, body);
    if (response.status === 202) acknowledged.push(text);
    else refused.push({ status: response.status, ...(await response.json()).error, text });
  }
  expect(refused[0]).toMatchObject({ status: 503, code: 'state.write' });
  expect(refused[0].message).toMatch(/^cannot use \S+\/state\.sqlite: .*full/);
  const health = await server.request('GET', 'healthz');
  expect(health.status).toBe(200);

  disk.makeRoom();
  await server.send(session, 'after');
  acknowledged.push('after');
  const end = await server.until(session, (s) => s.status === 'idle' && said(s).includes('after'));
  expect(said(end).toSorted()).toEqual(acknowledged.toSorted());
  expect(answered(end).at(-1)).toBe('OK.');
  await expectWholeLines(join(disk.dir, 'codex'));

  const again = await (await restart(server, 'state', 'conversations')).state(session);
  expect(said(again)).toEqual(said(end));
  expect(answered(again)).toEqual(answered(end));
});

test('where the conversation has no room, an acknowledged message waits and is answered later', async () => {
  const server = await start('conversations');
  const session = await server.newSession();
  disk.fill();
  await server.send(session, 'hello');
  const stuck = await server.until(session, ({ status }) => status === 'paused');
  expect(notices(stuck)).toMatchObject([
    { level: 'error', code: 'file.write', text: expect.stringMatching(/^cannot write \S+\.jsonl: ENOSPC/) },
    { code: 'session.paused' },
  ]);
  expect(stuck.waiting).toMatchObject([{ text: 'hello' }]);
  expect(model.requests).toEqual([]);

  disk.makeRoom();
  await server.api('POST', `api/sessions/${session}/resume`);
  const end = await server.until(session, (s) => answered(s).length === 1);
  expect(said(end)).toEqual(['hello']);
  await server.idle(session);
  await expectWholeLines(join(disk.dir, 'codex'));
});

test('a disk that fills up within a turn ends it; the file stays whole, the next message works', async () => {
  const server = await start('conversations');
  const session = await server.newSession();
  const gate = new Gate();
  model.answer([{ text: 'Half' }, { wait: gate.opened }, { text: ` and ${'x'.repeat(100_000)}` }]);
  await server.send(session, 'hello');
  await server.until(session, (s) => s.items.some((item) => item.type === 'agentMessage'));
  disk.fill();
  gate.open();
  const failed = await server.until(session, (s) => notices(s).length > 0);
  expect(notices(failed)[0]).toMatchObject({ level: 'error', code: 'file.write' });
  await server.until(session, (s) => s.turn === null);

  disk.makeRoom();
  await server.send(session, 'again');
  const end = await server.until(session, (s) => answered(s).includes('OK.'));
  expect(said(end)).toEqual(['hello', 'again']);
  await server.idle(session);
  await expectWholeLines(join(disk.dir, 'codex'));
  const again = await (await restart(server, 'conversations')).state(session);
  expect(said(again)).toEqual(['hello', 'again']);
  expect(lastAnswer(again)).toBe('OK.');
});

test('a start on a full disk is refused by name and leaves nothing in the way of the next', async () => {
  const stateDir = join(disk.dir, 'state');
  disk.fill();
  const flags = ['--listen', '127.0.0.1:0', '--state-dir', stateDir, '--workspace-config', box.configPath];
  const ended = await runCommand(box, flags);
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toContain(stateDir);
  expect(ended.stderr).toMatch(/ENOSPC.*--state-dir\n$/);
  expect(ended.stderr.trimEnd()).not.toContain('\n');
  disk.makeRoom();
  const server = await start('state');
  const session = await server.newSession();
  await server.send(session, 'hello');
  expect(answered(await server.idle(session))).toEqual(['OK.']);
});

test('a state directory on a disk that is read only is refused, with the flag that helps', async () => {
  disk.makeReadOnly();
  const flags = ['--listen', '127.0.0.1:0', '--state-dir', disk.dir, '--workspace-config', box.configPath];
  const ended = await runCommand(box, flags);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(/^tscodex-ws: cannot use the state directory \S+: EROFS.*--state-dir\n$/);
});

function lastAnswer(state: SessionState): string | undefined {
  return answered(state).at(-1);
}
