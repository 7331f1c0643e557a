/** Sessions on a program in the place of `codex exec`, over a real database and a real file. */
import { appendFile, chmod, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ScriptedModel } from '../model/scripted-model.ts';
import { rolloutPath } from '../session/rollout.ts';
import { heldAlone } from './codex-session.ts';
import { findSession, insertSession, UNTOUCHED } from './session-rows.ts';
import { SessionStore } from './session-store.ts';
import { message, openTestBox, type TestBox, Watcher } from './test-session.ts';

/** Answers once the file `go` is there, with what it was asked. */
const PROGRAM = `
const fs = require('node:fs');
const { join } = require('node:path');
if (process.argv[2] === '--version') { console.log('codex-cli 0.171.0'); process.exit(0); }
const thread = process.argv.at(-2);
const sessions = join(process.env.CODEX_HOME, 'sessions');
const file = fs.readdirSync(sessions, { recursive: true }).find((name) => name.includes(thread));
const say = (event) => fs.writeSync(1, JSON.stringify(event) + '\\n');
let prompt = '';
process.stdin.on('data', (part) => { prompt += part; });
const there = (name) => fs.existsSync(join(process.env.CODEX_HOME, name));
process.stdin.on('end', () => {
  if (there('mute')) return setInterval(() => undefined, 1000);
  say({ type: 'thread.started', thread_id: thread });
  const item = { type: 'UserMessage', id: 'u', content: [{ type: 'text', text: prompt }] };
  const record = { timestamp: new Date().toISOString(), type: 'event_msg', payload: { type: 'item_completed', turn_id: 't', item } };
  fs.appendFileSync(join(sessions, file), JSON.stringify(record) + '\\n');
  const wait = setInterval(() => {
    if (!there('go')) return;
    clearInterval(wait);
    say({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'You said ' + prompt } });
    say({ type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 1 } });
  }, 10);
});`;

let box: TestBox;
let bin: string;
beforeEach(async () => {
  box = await openTestBox();
  bin = join(box.dir, 'codex-program');
  await mkdir(box.config.codexHome, { recursive: true });
  await writeFile(bin, `#!${process.execPath}\n${PROGRAM}\n`);
  await chmod(bin, 0o755);
  Object.assign(box.config.codex, { bin });
});
afterEach(async () => {
  expect(box.faults).toEqual([]);
  await box.remove();
});

async function create(): Promise<string> {
  const id = uuid();
  const now = new Date().toISOString();
  await insertSession(box.db, {
    ...{ id, workspaceId: 'w', title: null, cwd: box.workDir, backend: 'codex-exec', model: null },
    ...{ effort: null, profile: null, rolloutPath: rolloutPath(box.config.codexHome, id) },
    ...{ createdAt: now, lastActivityAt: now },
    ...UNTOUCHED,
  });
  return id;
}

const load = (id: string) => box.load(id, new ScriptedModel());

test('a message in a running turn waits for its end, and has a turn of its own', async () => {
  const runtime = await load(await create());
  const seen = new Watcher(runtime);
  await runtime.submit(message('first'), null);
  await seen.until(({ items }) => items.length === 1);
  await runtime.submit(message('second', 'steer'), null);
  const { waiting } = await seen.until((state) => state.waiting.length === 1);
  expect(waiting).toMatchObject([{ text: 'second', mode: 'queue' }]);
  await writeFile(join(box.config.codexHome, 'go'), '');
  const done = await seen.until(({ items, turn }) => items.length === 4 && turn === null);
  expect(done.items.map((item) => ('text' in item ? item.text : ''))).toEqual([
    ...['first', 'You said first', 'second', 'You said second'],
  ]);
  expect(done.usage?.total.inputTokens).toBe(10);
  await runtime.unload('shutdown');
});

test('a message that Codex has not taken when it is stopped waits until somebody resumes', async () => {
  await writeFile(join(box.config.codexHome, 'mute'), '');
  const id = await create();
  const before = await load(id);
  const first = new Watcher(before);
  await before.submit(message('first'), null);
  await first.until(({ status }) => status === 'running');
  before.interrupt(null);
  const stopped = await first.until(({ status }) => status === 'paused');
  expect(stopped.waiting).toMatchObject([{ text: 'first' }]);
  expect(stopped.items).toMatchObject([{ code: 'turn.stopped' }, { code: 'session.paused' }]);
  await before.unload('shutdown');

  const runtime = await load(id);
  const seen = new Watcher(runtime);
  expect(runtime.snapshot().state).toMatchObject({ status: 'paused', waiting: [{ text: 'first' }] });
  expect(runtime.snapshot().state.items.at(-1)).toMatchObject({ code: 'session.reopened' });
  await rm(join(box.config.codexHome, 'mute'));
  await writeFile(join(box.config.codexHome, 'go'), '');
  await runtime.resume(null);
  await seen.until(({ items, turn }) => turn === null && items.some(({ type }) => type === 'agentMessage'));
  expect(findSession(box.db, id)?.paused).toBe(false);
  await runtime.unload('shutdown');
});

test('/compact says that it is not possible, and starts no turn', async () => {
  const runtime = await load(await create());
  const seen = new Watcher(runtime);
  await runtime.submit(message('/compact'), null);
  const state = await seen.until(({ items }) => items.some(({ type }) => type === 'notice'));
  expect(state.items.at(-1)).toMatchObject({ type: 'notice', code: 'backend.compact' });
  expect(seen.events.some(({ type }) => type === 'turn.started')).toBe(false);
  await runtime.unload('shutdown');
});

test.each([
  ['was recorded before the crash is not sent again', true],
  ['was not recorded is sent again', false],
])('what was given to Codex and %s', async (_, recorded) => {
  const id = await create();
  const path = findSession(box.db, id)?.rolloutPath ?? '';
  await mkdir(dirname(path), { recursive: true });
  const meta = { id, timestamp: 't', cwd: '/', originator: 'x', cli_version: '1', history_mode: 'paginated' };
  const at = new Date().toISOString();
  await writeFile(path, line({ ordinal: 0, timestamp: at, type: 'session_meta', payload: meta }));
  const store = new SessionStore(box.db, id);
  const input = { ...message('given'), attachments: [], author: null, at };
  await store.insertInput(input);
  await store.giving(input.id, (await stat(path)).size);
  const item = { type: 'UserMessage', id: 'u', content: [{ type: 'text', text: 'given\n' }] };
  const payload = { type: 'item_completed', turn_id: 't', item };
  if (recorded) await appendFile(path, line({ ordinal: 1, timestamp: at, type: 'event_msg', payload }));
  await writeFile(join(box.config.codexHome, 'go'), '');
  const runtime = await load(id);
  const seen = new Watcher(runtime);
  const state = await seen.idle();
  const said = state.items.filter(({ type }) => type === 'userMessage');
  expect(said).toHaveLength(1);
  expect(state.items.some(({ type }) => type === 'agentMessage')).toBe(!recorded);
  // its id is known for the life of the session
  expect(await runtime.submit({ id: input.id, text: 'given', mode: 'steer' }, null)).toMatchObject({
    duplicate: true,
  });
  await runtime.unload('shutdown');
});

test('without anybody who is asked nothing is unconfined, unless the server was started so', () => {
  const full = { sandbox: 'danger-full-access', approval: 'on-request', network: true } as const;
  expect(() => heldAlone(full, box.config)).toThrow(expect.objectContaining({ code: 'codex.unattended' }));
  expect(heldAlone(full, { ...box.config, unattended: true })).toMatchObject({ approval: 'never' });
  const confined = { ...full, sandbox: 'workspace-write' } as const;
  expect(heldAlone(confined, box.config)).toEqual({ ...confined, approval: 'never' });
});

function line(record: object): string {
  return `${JSON.stringify(record)}\n`;
}
