/** A workspace's own bin directory may be in the PATH of the server and of its commands. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tryLock } from '../base/file-lock.ts';
import { CommandStage } from './commands.test-support.ts';
import { forgoCoreFiles } from './core-files.ts';

let stage: CommandStage;
let ran: string;

beforeEach(async () => {
  stage = await CommandStage.open();
  ran = join(stage.cwd, 'ran');
  const bin = join(stage.cwd, 'bin');
  mkdirSync(bin);
  for (const name of ['mkfifo', 'bash', 'sh', 'env', 'prlimit', 'flock'])
    writeFileSync(join(bin, name), `#!/bin/sh\necho ${name} >> ${ran}\n`, { mode: 0o755 });
  stage.env = { ...stage.env, PATH: `${bin}:${stage.env.PATH}` };
  vi.stubEnv('PATH', stage.env.PATH);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await stage.close();
});

test('what the server starts for itself is the system\u2019s', async () => {
  const terminal = stage.run('x', { argv: ['/bin/sleep', '60'], tty: true });
  for (const tty of [false, true]) {
    const running = stage.run('x', { argv: ['/bin/echo', 'hello'], tty });
    expect(await running.exited).toEqual({ exitCode: 0, signal: null });
    expect(running.output().trim()).toBe('hello');
  }
  await forgoCoreFiles();
  tryLock(join(stage.cwd, 'one.lock'))?.release();
  await terminal.stop();
  expect(existsSync(ran)).toBe(false);
});
