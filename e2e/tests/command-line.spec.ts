/** The command: its flags, its exit codes, how it ends, and what it never prints or writes. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { FULL_ACCESS } from '../support/browser-stage.ts';
import { runCommand } from '../support/command.ts';
import { answered, lastOutput } from '../support/conversation.ts';
import { processes, uniqueSeconds } from '../support/processes.ts';
import { Box, serverBin } from '../support/server.ts';
import { SocketClient } from '../support/socket-client.ts';
import { test } from '../support/stage.ts';

const ANY_PORT = ['--listen', '127.0.0.1:0'];

let box: Box;
test.beforeEach(async () => {
  box = await Box.make();
});
test.afterEach(() => box.remove());

test('--help and --version', async () => {
  const help = await runCommand(box, ['--help']);
  expect(help).toMatchObject({ code: 0, stderr: '' });
  for (const flag of ['--listen', '--workspace-config', '--state-dir', '--no-auth', '--base-path'])
    expect(help.stdout).toContain(flag);
  const manifest = JSON.parse(await readFile(join(serverBin, '../../package.json'), 'utf8'));
  expect(await runCommand(box, ['--version'])).toEqual({
    code: 0,
    stdout: `${manifest.version}\n`,
    stderr: '',
  });
});

test('flags that are wrong are named in one sentence, with the nearest right one', async () => {
  const cases: [string[], string][] = [
    [['--lisen', '127.0.0.1:1'], '--lisen is unknown; did you mean --listen?'],
    [['--listen', '6007'], '--listen 6007: write HOST:PORT, like 127.0.0.1:6007 or [::1]:0'],
    [['--profile'], '--profile needs a value'],
    [
      ['--no-auth', '--listen', '0.0.0.0:0'],
      '--no-auth: 0.0.0.0 can be reached from other machines; listen on 127.0.0.1',
    ],
    [['serve'], '"serve" is no flag; see --help'],
  ];
  for (const [args, sentence] of cases)
    expect(await runCommand(box, args)).toEqual({ code: 2, stdout: '', stderr: `tscodex-ws: ${sentence}\n` });
  expect(await readdir(box.codexHome)).toEqual(['config.toml']);
});

test('a config.toml that cannot be parsed is named by line and column', async () => {
  const path = join(box.codexHome, 'config.toml');
  await writeFile(path, 'model = "m"\napproval_policy = never\n');
  const ended = await runCommand(box, ANY_PORT);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(/^tscodex-ws: \S+\/config\.toml:2:\d+: .+\n$/);
  await writeFile(path, 'model = 5\n');
  const wrong = await runCommand(box, ANY_PORT);
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toMatch(/config\.toml:1: model: expected string, found number\n$/);
  expect(await readFile(path, 'utf8')).toBe('model = 5\n');
});

test('a state directory that cannot be one is named, with the flag that helps', async () => {
  await writeFile(join(box.dir, 'file'), 'not a directory');
  const below = join(box.dir, 'file', 'state');
  const ended = await runCommand(box, [...ANY_PORT, '--state-dir', below]);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(`cannot use the state directory ${below}`);
  expect(ended.stderr).toMatch(/name a writable one with --state-dir\n$/);
  expect(ended.stderr.trimEnd()).not.toContain('\n');
});

test('a second server on one state directory is told who is there', async ({ open }) => {
  const { server, box: used, session } = await open();
  const ended = await runCommand(used, [...ANY_PORT, '--workspace-config', used.configPath]);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  const { port } = new URL(server.url);
  expect(ended.stderr).toContain(`is in use by a running server (pid ${server.pid}, port ${port})`);
  expect(ended.stderr).toContain('--state-dir');
  await server.send(session, 'hello');
  expect(answered(await server.idle(session))).toEqual(['OK.']);
});

test('a port in use is named, and nothing stays locked', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const ended = await runCommand(box, ['--listen', `127.0.0.1:${port}`]);
  await new Promise((resolve) => other.close(resolve));
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(ended.stderr).toContain(`cannot listen on 127.0.0.1, port ${port}: something listens there already`);
  expect(ended.stderr).toContain('--listen HOST:PORT');
  const server = await box.start();
  expect(await server.kill('SIGTERM')).toBe(0);
});

test('SIGTERM ends it in time while a turn runs, a request hangs and viewers look on', async ({
  model,
  open,
}) => {
  const { server, session } = await open({ toml: FULL_ACCESS });
  const cmd = `sleep ${uniqueSeconds()}`;
  const second = await server.newSession();
  model.answer([{ call: 'exec_command', args: { cmd: `trap "" TERM; ${cmd}; ${cmd}` } }], 'silence');
  await server.send(session, 'run it');
  await expect.poll(() => processes(cmd)).not.toEqual([]);
  await server.send(second, 'hello');
  await model.asked(2);
  const viewer = await SocketClient.connect(server);
  viewer.send({ type: 'subscribe', session });
  expect(await viewer.next()).toMatchObject({ type: 'subscribed' });
  viewer.send({ type: 'overview' });
  const begun = performance.now();
  expect(await server.kill('SIGTERM')).toBe(0);
  expect(performance.now() - begun).toBeLessThan(15_000);
  expect(await viewer.closed).toBe(1001);
  expect(processes(cmd)).toEqual([]);
});

test('no secret is printed, logged, written or handed to a command', async ({ model, open }) => {
  const secrets = {
    key: 'sk-live-0123456789abcdef',
    header: 'hdr-0123456789abcdef',
    password: 'open-sesame-42',
  };
  const { server, session, box } = await open({
    modelUrl: null,
    toml: `model = "m"\nmodel_provider = "fake"\n${FULL_ACCESS}[model_providers.fake]\nbase_url = "${model.url}"\nenv_key = "MY_KEY"\nenv_http_headers = { x-extra = "MY_HEADER" }\nstream_max_retries = 0\n`,
    args: ['--log-level', 'trace'],
    env: { MY_KEY: secrets.key, MY_HEADER: secrets.header, TSCODEX_PASSWORD: '' },
  });
  model.answer([{ call: 'exec_command', args: { cmd: 'env' } }], [{ text: 'Done.' }], {
    status: 401,
    body: JSON.stringify({
      error: { message: `Incorrect API key ${secrets.key}, header ${secrets.header}` },
    }),
  });
  await server.send(session, 'show the environment');
  await server.idle(session);
  expect(lastOutput(model.requests.at(-1))).toContain('PATH=');
  await server.send(session, 'and fail');
  const state = await server.idle(session);

  const cookie = await logIn(server.url, { token: server.token });
  await logIn(server.url, { password: secrets.password });
  await fetch(new URL('api/sessions/none', server.url), { headers: { cookie } });
  await fetch(new URL(`login?token=${server.token}`, server.url));
  expect(await server.kill('SIGTERM')).toBe(0);

  const login = cookie.split('=')[1] ?? '';
  expect(login.length).toBeGreaterThan(20);
  expect(server.stderr).toContain('"msg"');
  for (const secret of [...Object.values(secrets), login]) {
    expect(server.stdout).not.toContain(secret);
    expect(server.stderr).not.toContain(secret);
    expect(JSON.stringify(state)).not.toContain(secret);
    expect(JSON.stringify(model.requests)).not.toContain(secret);
    expect(await filesWith(box.dir, secret)).toEqual([]);
  }
  expect(server.stderr).not.toContain(server.token);
  expect(await filesWith(box.dir, server.token)).toEqual(['codex/tscodex/token']);
  expect((await stat(join(box.codexHome, 'tscodex', 'token'))).mode & 0o777).toBe(0o600);
});

test('a password is asked for instead of the token, and is never shown', async () => {
  const password = 'open-sesame-42';
  const env = { TSCODEX_PASSWORD: password };
  const server = await box.start([], env);
  expect(server.token).toBe('');
  expect(await logIn(server.url, { password })).not.toBe('');
  await server.kill('SIGTERM');
  expect(server.stdout + server.stderr).not.toContain(password);
  expect(await filesWith(box.dir, password)).toEqual([]);
});

/** The cookie that came, or ''. */
async function logIn(url: string, body: object): Promise<string> {
  const response = await fetch(new URL('api/login', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify(body),
  });
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

/** Files below a directory that hold a text, by their relative paths. */
async function filesWith(dir: string, text: string): Promise<string[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if ((await readFile(path)).includes(text)) found.push(path.slice(dir.length + 1));
  }
  return found;
}
