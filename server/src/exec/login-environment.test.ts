import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EnvironmentPolicy } from '../base/config/config.ts';
import { Failure } from '../base/errors.ts';
import { CommandStage } from './commands.test-support.ts';
import { commandEnvironment } from './environment.ts';
import { LoginEnvironment } from './login-environment.ts';
import type { RunningProcess } from './running-process.ts';

const POLICY = { inherit: 'core', secrets: false, exclude: [], set: {}, includeOnly: [] } as const;
const { signal } = new AbortController();

let stage: CommandStage;
let home: string;
let failures: unknown[];
let shells: RunningProcess[];

beforeEach(async () => {
  stage = await CommandStage.open();
  home = stage.cwd;
  failures = [];
  shells = [];
});

afterEach(async () => {
  vi.useRealTimers();
  await stage.close();
});

function profile(text: string): void {
  writeFileSync(join(home, '.bash_profile'), text);
}

function server(): Record<string, string> {
  return { HOME: home, SHELL: '/bin/bash', PATH: '/server/bin:/usr/bin:/bin', OPENAI_API_KEY: 'k' };
}

function environment(policy: Partial<EnvironmentPolicy> = {}): LoginEnvironment {
  return new LoginEnvironment({
    from: server(),
    policy: { ...POLICY, ...policy },
    start: ({ argv, env }) => {
      const shell = stage.run('login', { argv, env });
      shells.push(shell);
      return shell;
    },
    failed: (why) => failures.push(why),
  });
}

test('what the profile adds is in the environment of commands, by the same policy', async () => {
  profile(
    'echo hello; export PATH=/added/bin:/usr/bin NVM_DIR="$HOME/nvm" TZ=$\'a\\nb\' MY_TOKEN=t MINE=m GIT_DIR=/x',
  );
  const env = await environment().get(signal);
  expect(env).toMatchObject({
    PATH: '/server/bin:/added/bin:/usr/bin:/bin',
    NVM_DIR: `${home}/nvm`,
    TZ: 'a\nb',
  });
  for (const name of ['MINE', 'GIT_DIR']) expect(env).not.toHaveProperty(name);

  const all = await environment({ inherit: 'all', exclude: ['TZ'], set: { NVM_DIR: '/set' } }).get(signal);
  expect(all).toMatchObject({ MINE: 'm', NVM_DIR: '/set', PAGER: 'cat' });
  for (const name of ['MY_TOKEN', 'TZ', 'SHLVL', '_', 'PWD', 'TSCODEX_EXEC'])
    expect(all).not.toHaveProperty(name);
  expect(failures).toEqual([]);
});

test('the profile is read once, when it is first needed', async () => {
  profile('echo x >> "$HOME/read"; export TZ=$(wc -l < "$HOME/read")');
  const login = environment();
  expect(shells).toHaveLength(0);
  const [first, second] = await Promise.all([login.get(signal), login.get(signal)]);
  expect([first.TZ, second.TZ]).toEqual(['1', '1']);
  expect(shells).toHaveLength(1);
});

test('nothing is inherited: no shell is asked', async () => {
  profile('export PATH=/added/bin');
  expect(await environment({ inherit: 'none' }).get(signal)).toEqual(commandEnvironment({}));
  expect(shells).toHaveLength(0);
});

test('read again on demand, it tells what has changed', async () => {
  profile('export TZ=one GOPATH=/go');
  const login = environment();
  await login.get(signal);
  profile('export TZ=two GOROOT=/root');
  expect(await login.refresh()).toEqual({ added: ['GOROOT'], changed: ['TZ'], removed: ['GOPATH'] });
  expect((await login.get(signal)).TZ).toBe('two');

  profile('exit 3');
  await expect(login.refresh()).rejects.toMatchObject({ code: 'environment.profile' });
  expect((await login.get(signal)).TZ).toBe('two');
});

test.each([
  ['ends early', 'export TZ=lost; exit 0', /ended before its profile did/],
  ['has no end of its own words', 'exec true', /ended before its profile did/],
])('where a profile %s, commands get what the server has', async (_, text, why) => {
  profile(text);
  expect(await environment().get(signal)).toEqual(commandEnvironment(server()));
  expect(failures).toEqual([expect.objectContaining({ message: expect.stringMatching(why) })]);
});

test('a profile that hangs is ended after ten seconds; who waits can be stopped before', async () => {
  profile('sleep 410');
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const login = environment();
  const stop = new AbortController();
  const stopped = expect(login.get(stop.signal)).rejects.toThrow('stopped');
  const env = login.get(signal);
  stop.abort(new Error('stopped'));
  await stopped;
  await vi.advanceTimersByTimeAsync(9_999);
  expect(shells[0]?.stopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  expect(await env).toEqual(commandEnvironment(server()));
  expect(shells[0]?.exit).not.toBeNull();
  expect(failures).toEqual([
    expect.objectContaining({ message: expect.stringMatching(/within 10 seconds/) }),
  ]);
});

test('a session that closes meanwhile is no failure', async () => {
  profile('echo up; sleep 412');
  const env = environment().get(signal);
  await stage.eventually(() => expect(shells[0]?.output()).toContain('up'));
  await stage.processes.stopAll();
  expect(await env).toEqual(commandEnvironment(server()));
  expect(failures).toEqual([]);
});

test('a sandbox that cannot be set up says so itself', async () => {
  const refusal = new Failure('unavailable', 'sandbox.start', 'the sandbox could not be set up');
  const exit = { exitCode: 1, signal: null, failure: refusal };
  const shell = {
    exited: Promise.resolve(exit),
    stopped: false,
    stop: async () => undefined,
  } as RunningProcess;
  const login = new LoginEnvironment({
    ...{ from: server(), policy: POLICY, start: () => shell },
    failed: (why) => failures.push(why),
  });
  expect(await login.get(signal)).toEqual(commandEnvironment(server()));
  expect(failures).toEqual([refusal]);
});

test('what a profile starts does not stay', async () => {
  profile('sleep 411 &');
  await environment().get(signal);
  expect(stage.living()).toEqual([]);
  expect(stage.processes.list()).toEqual([]);
});

test('a profile that shows its own lines or has broken bytes does not matter', async () => {
  profile("set -x; export TZ=fine USER=$'\\xff\\xfe'; printf '\\xff'; trap 'echo bye' EXIT");
  expect(await environment().get(signal)).toMatchObject({ TZ: 'fine' });
  expect(failures).toEqual([]);
});
