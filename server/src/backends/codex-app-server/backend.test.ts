import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody, Usage } from '@tscodex/shared/events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isGone } from '../../exec/process-list.ts';
import type { BackendHost } from '../backend.ts';
import { CodexBackend } from './backend.ts';

let dir: string;
const started: CodexBackend[] = [];
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'codex-backend-'));
});
afterEach(async () => {
  for (const backend of started.splice(0)) await backend.close();
  await rm(dir, { recursive: true, force: true });
});

/** A session on a program in Codex's place; `body` is what that does with a request's `id`, `method` and `params`. */
async function session(body: string, of: { asking?: object; saved?: () => Promise<void> } = {}) {
  const path = join(dir, 'codex');
  const head = `#!${process.execPath}
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const tell = (method, params) => say({ method, params });
const turn = (id, status, error) => ({ turn: { id, status, error } });
const message = (turnId, clientId) => ({ turnId, item: { type: 'userMessage', id: 'u', clientId, content: [] } });
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('close', () => process.exit(0));
lines.on('line', (line) => {
  const { id, method, params, error } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { userAgent: 'tscodex/0.171.0' } });
  if (method === 'thread/resume') say({ id, result: { thread: { id: 's' } } });
  if (method === 'thread/backgroundTerminals/clean') say({ id, result: {} });
  ${body}
});
`;
  await writeFile(path, head);
  await chmod(path, 0o755);
  const hello = { id: 'input', text: 'Hello', imagePaths: [] };
  const waiting = [hello];
  const used: Usage[] = [];
  const emitted: EventBody[] = [];
  const faults: unknown[] = [];
  const host = {
    emit: (event: EventBody) => emitted.push(event),
    used: (usage: Usage) => used.push(usage),
    onSteer: () => () => undefined,
    sending: async () => undefined,
    fault: (_: string, error: unknown) => faults.push(error),
    asking: () => of.asking,
    allowedBy: () => null,
    takeInputs: async () => {
      await backend.deliver(waiting.splice(0, 1), null);
      await of.saved?.();
      return [];
    },
  } as unknown as BackendHost;
  const backend = new CodexBackend({
    sessionId: 's',
    codex: { program: () => path, cwd: dir, env: { PATH: process.env.PATH ?? '' }, version: '0' },
    held: () => ({
      ...{ cwd: dir, sandbox: 'read-only', approval: 'on-request', network: false },
      ...{ writableRoots: [], slashTmp: true, tmpdir: true, hidden: [] },
    }),
    ...{ spoken: false, model: null, effort: undefined, host },
    prepareFile: async () => undefined,
    ...{ reconnectSeconds: 0.2, interruptMs: 300 },
    context: () => ({}),
    tools: [],
    rules: { offer: async () => ({}) },
  });
  started.push(backend);
  const run = () => backend.runTurn('turn', new AbortController().signal);
  const again = () => waiting.push(hello);
  return { backend, run, again, used, emitted, faults };
}

const ANSWERS = `if (method === 'turn/start') {
  say({ id, result: { turn: { id: 't' } } });
  tell('turn/started', turn('t'));
  tell('item/completed', message('t', params.clientUserMessageId));
  tell('turn/completed', turn('t', 'completed'));
}`;

test('one that dies while a message is sent ends the turn, and nothing else', async () => {
  const { run } = await session("if (method === 'turn/start') process.exit(3);");
  await expect(run()).resolves.toMatchObject({ status: 'failed', error: { code: 'codex.ended' } });
});

test('one that asks before it is there is refused, and goes on', async () => {
  const { run, faults } = await session(`
if (method === 'initialize') say({ id: 7, method: 'item/tool/requestUserInput', params: {} });
if (method === undefined && error) globalThis.refused = true;
if (globalThis.refused) ${ANSWERS}`);
  await expect(run()).resolves.toMatchObject({ status: 'completed' });
  expect(faults).toEqual([]);
});

test('a patch that is asked about while its message is still being saved is shown, and can be allowed', async () => {
  const change = JSON.stringify({ path: '/w/a', kind: { type: 'add' }, diff: '+one' });
  const patch = `{ type: 'fileChange', id: 'f', status: 'inProgress', changes: [${change}] }`;
  const approve = vi.fn(async () => ({ allowed: true, scope: 'once' }));
  // long enough for all that Codex has said to be here
  const saved = () => new Promise<void>((resolve) => setTimeout(resolve, 200));
  const { run } = await session(
    `if (method === 'turn/start') {
  say({ id, result: { turn: { id: 't' } } });
  tell('turn/started', turn('t'));
  tell('item/completed', message('t', params.clientUserMessageId));
  tell('item/started', { turnId: 't', item: ${patch} });
  say({ id: 7, method: 'item/fileChange/requestApproval', params: { threadId: 's', turnId: 't', itemId: 'f' } });
}
if (method === undefined && id === 7) tell('turn/completed', turn('t', JSON.parse(line).result?.decision === 'accept' ? 'completed' : 'failed'));`,
    { asking: { approve }, saved },
  );
  await expect(run()).resolves.toMatchObject({ status: 'completed' });
  expect(approve).toHaveBeenCalledOnce();
});

test('why a turn has failed is told, also where its message was not taken', async () => {
  const { run } = await session(`if (method === 'turn/start') {
  tell('turn/started', turn('t'));
  tell('turn/completed', turn('t', 'failed', { message: 'No more today.', codexErrorInfo: 'usageLimitExceeded' }));
  say({ id, result: { turn: { id: 't' } } });
}`);
  await expect(run()).resolves.toMatchObject({ status: 'failed', error: { code: 'codex.limit' } });
});

test('a turn that has failed here alone is ended in Codex before the next one', async () => {
  const { run, again } = await session(`
if (method === 'turn/start' && !globalThis.first) {
  globalThis.first = true;
  tell('turn/started', turn('old'));
  say({ id, result: 'no turn' });
} else if (globalThis.interrupted === 'old') ${ANSWERS}
if (method === 'turn/interrupt') {
  globalThis.interrupted = params.turnId;
  say({ id, result: {} });
  tell('turn/completed', turn('old', 'interrupted'));
}`);
  await expect(run()).resolves.toMatchObject({ status: 'failed', error: { code: 'codex.reply' } });
  again();
  await expect(run()).resolves.toMatchObject({ status: 'completed' });
});

test('what an earlier turn has used is told again by Codex, and counted once', async () => {
  const usage = (turnId: string, totalTokens: number) => {
    const tokens = { totalTokens, inputTokens: totalTokens, outputTokens: 0 };
    const params = JSON.stringify({ turnId, tokenUsage: { last: tokens, total: tokens } });
    return `tell('thread/tokenUsage/updated', ${params});`;
  };
  const { run, used } = await session(`
if (method === 'thread/resume') ${usage('old', 5)}
if (method === 'turn/start') {
  tell('turn/started', turn('t'));
  ${usage('old', 5)}
  ${usage('t', 7)}
}
${ANSWERS}`);
  await run();
  expect(used.map(({ totalTokens }) => totalTokens)).toEqual([7]);
});

test('Stop reaches a turn whose Codex is still starting', async () => {
  const { backend } = await session('');
  const stop = new AbortController();
  const over = backend.runTurn('turn', stop.signal);
  stop.abort();
  await expect(over).resolves.toEqual({ status: 'interrupted' });
});

test.runIf(process.platform === 'linux')('one that never answers ends with the session', async () => {
  const { backend } = await session('');
  const pids = join(dir, 'pids');
  const hangs = `#!/bin/sh\nsleep 1000 &\necho $$ $! > ${pids}.new; mv ${pids}.new ${pids}; wait\n`;
  await writeFile(join(dir, 'codex'), hangs);
  const stop = new AbortController();
  const over = backend.runTurn('turn', stop.signal);
  await vi.waitFor(() => expect(existsSync(pids)).toBe(true), 10_000);
  stop.abort();
  await expect(over).resolves.toEqual({ status: 'interrupted' });
  await backend.close();
  const started = (await readFile(pids, 'utf8')).trim().split(' ').map(Number);
  expect(started.map(isGone)).toEqual([true, true]);
});

const RETRIES = `if (method === 'turn/start') {
  say({ id, result: { turn: { id: 't' } } });
  tell('turn/started', turn('t'));
  tell('item/completed', message('t', params.clientUserMessageId));
  const error = { message: 'Reconnecting... 1/5', additionalDetails: 'connection refused' };
  tell('error', { turnId: 't', willRetry: true, error });
  GOES_ON
}
if (method === 'turn/interrupt') {
  say({ id, result: {} });
  tell('turn/completed', turn('t', 'interrupted'));
}`;

test('one that reaches nobody is given up after a while, with why', async () => {
  const { run } = await session(RETRIES.replace('GOES_ON', ''));
  const error = {
    ...{
      code: 'codex.unreachable',
      message: expect.stringContaining('for 0.2 seconds: connection refused.'),
    },
    details: { seconds: 0.2, reason: 'connection refused' },
  };
  await expect(run()).resolves.toMatchObject({ status: 'failed', error });
});

test('what a command says meanwhile gives it no more time', async () => {
  const { run } = await session(
    RETRIES.replace(
      'GOES_ON',
      `setInterval(() => tell('item/commandExecution/outputDelta', { turnId: 't', itemId: 'c', delta: '.' }), 10);
  setInterval(() => tell('error', { turnId: 't', willRetry: true, error }), 20);`,
    ),
  );
  await expect(run()).resolves.toMatchObject({ status: 'failed', error: { code: 'codex.unreachable' } });
});

test('one that is given up has ended in Codex before the turn has here', async () => {
  const { run, again } = await session(`
if (globalThis.given && method === 'turn/start') {
  if (globalThis.given === 'over') { ${ANSWERS} }
} else ${RETRIES.replace('GOES_ON', 'globalThis.given = "up";').replace(
    "tell('turn/completed', turn('t', 'interrupted'));",
    `setTimeout(() => {
      globalThis.given = 'over';
      tell('turn/completed', turn('t', 'interrupted'));
    }, 100);`,
  )}`);
  await expect(run()).resolves.toMatchObject({ status: 'failed', error: { code: 'codex.unreachable' } });
  again();
  await expect(run()).resolves.toMatchObject({ status: 'completed' });
});

test('one that is given up and does not end in Codex is ended with its process', async () => {
  const { run, again } = await session(`
const { existsSync, writeFileSync } = require('node:fs');
if (existsSync('given-up') && method === 'turn/start' && !globalThis.deaf) { ${ANSWERS} }
else if (method === 'turn/interrupt') say({ id, result: {} });
else { ${RETRIES.replace('GOES_ON', "globalThis.deaf = true; writeFileSync('given-up', '');")} }`);
  await expect(run()).resolves.toMatchObject({ status: 'failed', error: { code: 'codex.unreachable' } });
  again();
  await expect(run()).resolves.toMatchObject({ status: 'completed' });
});

test('one that has reached somebody again has all the time it needs', async () => {
  const { run } = await session(
    RETRIES.replace(
      'GOES_ON',
      `tell('item/started', { turnId: 't', item: { type: 'agentMessage', id: 'a', text: '' } });
  setTimeout(() => tell('turn/completed', turn('t', 'completed')), 600);`,
    ),
  );
  await expect(run()).resolves.toMatchObject({ status: 'completed' });
});

test('what is asked after its turn has ended is refused, in the next turn too', async () => {
  const { run, again, faults } = await session(`
globalThis.turns ??= 0;
if (method === 'turn/start') globalThis.turns += 1;
const name = 't' + globalThis.turns;
if (method === 'turn/start') {
  say({ id, result: { turn: { id: name } } });
  tell('turn/started', turn(name));
  tell('item/completed', message(name, params.clientUserMessageId));
  if (globalThis.turns === 1) {
    tell('turn/completed', turn(name, 'completed'));
    globalThis.late = setTimeout(() => say(stale(7)), 50);
  } else say(stale(8));
}
function stale(id) {
  const params = { threadId: 's', turnId: 't1', itemId: 'i', command: 'rm -rf x', cwd: '/' };
  return { id, method: 'item/commandExecution/requestApproval', params };
}
if (method === undefined && error && id === 8) tell('turn/completed', turn('t2', 'completed'));
`);
  await expect(run()).resolves.toMatchObject({ status: 'completed' });
  again();
  await expect(run()).resolves.toMatchObject({ status: 'completed' });
  expect(faults).toEqual([]);
});

test('of a newer protocol: what it asks is refused, what it tells is a notice, and garbage nothing', async () => {
  const { run, emitted } = await session(`
if (method === 'turn/start') {
  say({ id, result: { turn: { id: 't' } } });
  tell('turn/started', turn('t'));
  tell('item/completed', message('t', params.clientUserMessageId));
  process.stdout.write('\\u0000\\n{"method":\\n[]\\nnull\\n{"id":99,"result":{}}\\n{"id":"x"}\\n');
  tell('item/completed', { turnId: 't', item: 'none' });
  tell('thread/hologram', { turnId: 't', hologram: 1 });
  say({ id: 'h', method: 'item/hologram/requestApproval', params: { turnId: 't' } });
}
if (id === 'h' && error) tell('turn/completed', turn('t', 'completed'));`);
  await expect(run()).resolves.toMatchObject({ status: 'completed' });
  const notices = emitted.flatMap((event) =>
    event.type === 'item.completed' && event.item.type === 'notice' ? [event.item] : [],
  );
  expect(notices).toMatchObject([
    { code: 'codex.unknown', details: { method: 'item/completed' } },
    { code: 'codex.unknown', details: { method: 'thread/hologram', params: { hologram: 1 } } },
  ]);
});
