import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHook } from './hook-process.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'tscodex-hook-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

function run(script: string, about: { timeoutMs?: number; input?: string; signal?: AbortSignal } = {}) {
  const env = { PATH: process.env.PATH ?? '' };
  const { signal = new AbortController().signal, ...rest } = about;
  const hook = { command: ['/bin/sh', '-c', script], cwd: dir, env, input: '{}', timeoutMs: 60_000, ...rest };
  return runHook(hook, signal);
}
const read = (name: string) => readFile(join(dir, name), 'utf8');

/** Whether the process runs whose number the file holds. */
async function runs(file: string): Promise<boolean> {
  const stat = await readFile(`/proc/${(await read(file)).trim()}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/\) [ZX] /.test(stat);
}

test('it is given its input, where and with what it is to run', async () => {
  expect(await run('cat > input; pwd > where; env > env', { input: '{"event":"x"}' })).toBeNull();
  expect(await read('input')).toBe('{"event":"x"}');
  expect((await read('where')).trim()).toBe(dir);
  expect(
    (await read('env')).match(/^\w+/gm)?.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)),
  ).toEqual(['PATH']);
});

test('one that does not read its input is none the worse for it', async () => {
  expect(await run('exit 0', { input: 'x'.repeat(4 * 1024 * 1024) })).toBeNull();
});

test('one that fails says how, and what it printed last', async () => {
  expect(await run('echo out; echo wrong >&2; exit 3')).toEqual({
    ...{
      words: 'ended with exit code 3',
      exitCode: 3,
      output: expect.stringMatching(/out\nwrong\n|wrong\nout\n/),
    },
  });
  expect(await run('kill -9 $$')).toMatchObject({ words: 'was ended by SIGKILL', signal: 'SIGKILL' });
});

test.each([
  ['that is not there', ['/no/such/program']],
  ['without a name', ['']],
  ['with a NUL character', ['a\0b']],
  ['that is no program', ['/etc/passwd']],
])('a program %s is a failure with a reason', async (_what, command) => {
  const hook = { command, cwd: dir, env: {}, input: '', timeoutMs: 60_000 };
  const failure = await runHook(hook, new AbortController().signal);
  expect(failure).toMatchObject({ words: expect.stringMatching(/^could not be started: /), output: '' });
});

test('one that hangs is ended in time, with what it has started, however it clings to life', async () => {
  const script = 'trap "" TERM; sleep 600 & echo $! > child; echo $$ > self; while :; do wait; sleep 1; done';
  expect(await run(script, { timeoutMs: 500 })).toMatchObject({ seconds: '0.5' });
  expect(await Promise.all([runs('self'), runs('child')])).toEqual([false, false]);
});

test('one that floods is ended', async () => {
  const failure = await run('yes');
  expect(failure).toMatchObject({ limit: 1024 * 1024 });
  expect(failure?.output.length).toBeLessThanOrEqual(4096);
});

test('what it leaves behind holds nobody up, also with the pipe in its hands', async () => {
  expect(await run('sleep 600 & echo $! > child')).toBeNull();
  expect(await run('setsid sleep 600 & echo $! > other')).toBeNull();
  for (const file of ['child', 'other']) process.kill(Number(await read(file)), 'SIGKILL');
});

test('it ends with the server', async () => {
  const controller = new AbortController();
  const done = run('echo $$ > self; sleep 600', { signal: controller.signal });
  while (!(await read('self').catch(() => ''))) await delay(10);
  controller.abort();
  expect(await done).toMatchObject({ reason: 'the server stopped' });
  expect(await runs('self')).toBe(false);
  expect(await run('echo never', { signal: controller.signal })).not.toBeNull();
});
