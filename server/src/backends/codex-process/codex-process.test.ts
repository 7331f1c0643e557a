import { readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Failure } from '../../base/errors.ts';
import { CodexProcess } from './codex-process.ts';
import type { CodexRequest } from './connection.ts';
import { findCodex } from './find-codex.ts';

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'codex-process-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A program in Codex's place; `body` reads `ask(line)` for each request. */
async function program(body: string, path = join(dir, 'codex')): Promise<string> {
  const head = `#!${process.execPath}
const say = (message) => process.stdout.write(JSON.stringify(message) + '\\n');
const lines = require('node:readline').createInterface({ input: process.stdin });
lines.on('close', () => process.exit(0));
const greeted = (userAgent) => lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'initialize') say({ id, result: { userAgent } });
});
`;
  await writeFile(path, head + body);
  await chmod(path, 0o755);
  return path;
}

function start(
  path: string,
  heard: { asked?: (request: CodexRequest) => void; ended?: (why: Failure) => void } = {},
  more: { answerMs?: number } = {},
) {
  const env = { PATH: process.env.PATH ?? '' };
  const listener = { notified: () => undefined, asked: () => undefined, ended: () => undefined, ...heard };
  return CodexProcess.start({ program: () => path, cwd: dir, env, version: '0', ...more }, listener);
}

const GREETS = "greeted('tscodex/0.171.0 (Debian)');";

test('one that is too old is named, with what to do', async () => {
  const path = await program("greeted('tscodex/0.137.2 (Debian)');");
  await expect(start(path)).rejects.toMatchObject({
    code: 'codex.version',
    message: expect.stringMatching(/0\.137\.2.*0\.171.*npm install -g @openai\/codex/),
  });
});

test.each([
  ['process.exit(3);', { exitCode: 3 }, 'with exit code 3'],
  ["process.kill(process.pid, 'SIGKILL');", { signal: 'SIGKILL' }, 'by SIGKILL'],
])('one that ends at once by %s says how, and nothing of its stderr', async (ends, details, how) => {
  const path = await program(`require('node:fs').writeSync(2, 'key sk-123'); ${ends}`);
  const why = await start(path).catch((error) => error as Failure);
  expect(why).toMatchObject({ code: 'codex.ended', message: expect.stringContaining(`(${how})`) });
  expect((why as Failure).details).toEqual(details);
});

test('one that the system cannot start says why', async () => {
  const path = await program(GREETS);
  const env = { PATH: process.env.PATH ?? '' };
  const listener = { notified: () => undefined, asked: () => undefined, ended: () => undefined };
  const nowhere = { program: () => path, cwd: join(dir, 'nowhere'), env, version: '0' };
  await expect(CodexProcess.start(nowhere, listener)).rejects.toMatchObject({
    code: 'codex.ended',
    details: { reason: expect.stringContaining('ENOENT') },
  });
});

test('garbage between its lines is passed over; what it refuses is said', async () => {
  const path = await program(`process.stdout.write('no json\\n\\n{"id":"x"}\\n[1]\\n');${GREETS}
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'model/list') { say({ id: 99, result: {} }); say({ id, result: { data: [] } }); }
  if (method === 'thread/resume') say({ error: { code: -32600, message: 'no rollout found' }, id });
});`);
  const codex = await start(path);
  await expect(codex.call('model/list', {})).resolves.toEqual({ data: [] });
  await expect(codex.call('thread/resume', {})).rejects.toMatchObject({
    code: 'codex.request',
    message: 'Codex refused thread/resume: no rollout found',
  });
  await codex.end();
  expect(codex.isGone).toBe(true);
});

test('what it asks and what it is asked have numbers of their own', async () => {
  const path = await program(`${GREETS}
lines.on('line', (line) => {
  const { id, method, result } = JSON.parse(line);
  if (method === 'turn/start') { say({ id: 1, method: 'item/tool/call', params: {} }); }
  if (result) say({ id: 1, result: { heard: result } });
});`);
  const codex = await start(path, { asked: (request) => codex.connection.answer(request, { ok: true }) });
  await expect(codex.call('turn/start', {})).resolves.toEqual({ heard: { ok: true } });
  await codex.end();
});

test('one that dies ends what waits for it', async () => {
  const path = await program(`${GREETS}
lines.on('line', (line) => { if (JSON.parse(line).method === 'turn/start') process.kill(process.pid, 'SIGKILL'); });`);
  const whys: Failure[] = [];
  const codex = await start(path, { ended: (why) => whys.push(why) });
  await expect(codex.call('turn/start', {})).rejects.toMatchObject({ code: 'codex.ended' });
  await expect(codex.call('turn/start', {})).rejects.toMatchObject({ code: 'codex.ended' });
  await codex.end();
  expect(whys).toHaveLength(1);
});

test('one that never answers is given up, with what it has started', async () => {
  const path = await program(`lines.removeAllListeners('close');
const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'ignore' });
require('node:fs').writeFileSync('pid', String(child.pid));
setInterval(() => undefined, 1000);`);
  await expect(start(path, {}, { answerMs: 2000 })).rejects.toMatchObject({
    code: 'codex.silent',
    message: expect.stringContaining('did not answer initialize within 2 seconds'),
  });
  const pid = Number(await readFile(join(dir, 'pid'), 'utf8'));
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('a wrapper that is killed leaves nothing running', async () => {
  const path = await program(`${GREETS}
const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'ignore' });
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'pids') say({ id, result: { wrapper: process.pid, child: child.pid } });
});`);
  const codex = await start(path);
  const { wrapper, child } = (await codex.call('pids', {})) as { wrapper: number; child: number };
  process.kill(wrapper, 'SIGKILL');
  await expect(codex.call('again', {})).rejects.toMatchObject({ code: 'codex.ended' });
  await expect.poll(() => isAlive(child)).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'one that is killed leaves nothing running out of its group either',
  async () => {
    const path = await program(`${GREETS}
const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'ignore', detached: true });
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'pids') say({ id, result: { codex: process.pid, child: child.pid } });
});`);
    const codex = await start(path);
    const pids = (await codex.call('pids', {})) as { codex: number; child: number };
    process.kill(pids.codex, 'SIGKILL');
    await expect.poll(() => isAlive(pids.child), { timeout: 10_000 }).toBe(false);
  },
);

test('one that does not end by itself is ended, with what it has started', async () => {
  const path = await program(`lines.removeAllListeners('close');${GREETS}
process.on('SIGTERM', () => undefined);
const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'ignore' });
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === 'pid') say({ id, result: { pid: child.pid } });
});
setInterval(() => undefined, 1000);`);
  const codex = await start(path);
  const { pid } = (await codex.call('pid', {})) as { pid: number };
  await codex.end();
  // init takes it in a moment after the signal
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('its end is seen where what it has started holds its pipes, out of its group', async () => {
  const path = await program(`${GREETS}
lines.on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method !== 'pid') return;
  const child = require('node:child_process').spawn('sleep', ['1000'], { stdio: 'inherit', detached: true });
  say({ id, result: { pid: child.pid } });
});`);
  const whys: Failure[] = [];
  const codex = await start(path, { ended: (why) => whys.push(why) });
  const { pid } = (await codex.call('pid', {})) as { pid: number };
  try {
    await codex.end();
    expect(whys).toMatchObject([{ code: 'codex.ended' }]);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
});

test('the program is looked for on PATH, never where agents write, and behind the script of npm', async () => {
  const [inside, installed] = [join(dir, 'workspace'), join(dir, 'lib/node_modules/@openai/codex')];
  const native = join(installed, 'node_modules/@openai/codex-linux-x64');
  const real = join(native, 'vendor/x86_64-unknown-linux-musl/bin');
  for (const folder of [inside, join(dir, 'bin'), join(installed, 'bin'), real])
    await mkdir(folder, { recursive: true });
  await program('', join(inside, 'codex'));
  await writeFile(join(installed, 'bin/codex.js'), '');
  await symlink(join(installed, 'bin/codex.js'), join(dir, 'bin/codex'));
  await writeFile(join(native, 'package.json'), '{"name":"@openai/codex-linux-x64"}');
  await program('', join(real, 'codex'));
  const places = {
    configured: null,
    path: `relative:${inside}:${dir}/bin`,
    unsafe: (path: string) => path.startsWith(inside),
  };
  if (process.platform === 'linux' && process.arch === 'x64')
    expect(findCodex(places)).toBe(join(real, 'codex'));
  expect(() => findCodex({ ...places, path: inside })).toThrow(/no Codex on the PATH.*codex_bin/);
  // what the user names is taken
  expect(findCodex({ ...places, configured: join(inside, 'codex') })).toBe(join(inside, 'codex'));
  expect(() => findCodex({ ...places, configured: join(dir, 'nowhere') })).toThrow(/no program at .*nowhere/);
});

/** One that has ended and was not taken by init yet is not. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
