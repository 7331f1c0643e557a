import { EventEmitter } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Host, run } from './run.ts';

class TestHost implements Host {
  readonly signals = new EventEmitter();
  platform: NodeJS.Platform = process.platform;
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: { write(text: string): void };
  readonly stderr: { write(text: string): void; fd: number };
  out = '';
  err = '';
  #open: (url: string) => void = () => undefined;
  readonly #opened = new Promise<string>((resolve) => {
    this.#open = resolve;
  });

  constructor(readonly dir: string) {
    this.env = { PATH: process.env.PATH, HOME: dir, CODEX_HOME: join(dir, 'codex') };
    const log = openSync(join(dir, 'log'), 'a');
    onTestFinished(() => closeSync(log));
    this.stdout = {
      write: (text) => {
        this.out += text;
        const url = /Open (\S+)/.exec(this.out)?.[1];
        if (url) this.#open(url);
      },
    };
    this.stderr = {
      fd: log,
      write: (text) => {
        this.err += text;
      },
    };
  }

  cwd = () => join(this.dir, 'here');

  log(): string {
    return readFileSync(join(this.dir, 'log'), 'utf8');
  }

  /** Starts a server; `code` is its exit code once it has ended. */
  async start(...args: string[]): Promise<{ url: URL; code: Promise<number> }> {
    const code = run(['--listen', '127.0.0.1:0', ...args], this);
    const failed = code.then((status) => Promise.reject(new Error(`exit ${status}: ${this.err}`)));
    const url = await Promise.race([this.#opened, failed]);
    failed.catch(() => undefined); // it ends when the test says so
    onTestFinished(async () => {
      this.signals.emit('SIGTERM', 'SIGTERM');
      await code;
    });
    return { url: new URL(url), code };
  }
}

async function testHost(): Promise<TestHost> {
  const dir = await mkdtemp(join(tmpdir(), 'tscodex-run-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'codex'));
  await mkdir(join(dir, 'here'));
  return new TestHost(dir);
}

test('help, version and bad flags', async () => {
  const host = await testHost();
  expect(await run(['--help'], host)).toBe(0);
  expect(host.out).toMatch(/^tscodex-ws: serve workspaces/);
  host.out = '';
  expect(await run(['--version'], host)).toBe(0);
  expect(host.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await run(['--lissen', 'x'], host)).toBe(2);
  expect(host.err).toBe('tscodex-ws: --lissen is unknown; did you mean --listen?\n');
});

test('Windows is refused with the way out', async () => {
  const host = await testHost();
  host.platform = 'win32';
  expect(await run(['--version'], host)).toBe(0);
  expect(await run([], host)).toBe(2);
  expect(host.err).toMatch(/^tscodex-ws: Windows cannot .* WSL2 .*\n$/);
});

test('a first start needs nothing, leaves the directory clean, and its URL logs in', async () => {
  const host = await testHost();
  const { url, code } = await host.start();
  const token = url.hash.replace('#token=', '');
  expect(host.out).toMatch(
    /^tscodex-ws \S+\nOpen http:\/\/127\.0\.0\.1:\d+\/login#token=[\w-]{43}\nCommands are (?:not )?confined.*\n {2}scratch: \S+\n$/,
  );
  const reply = await fetch(new URL('api/login', url), {
    method: 'POST',
    headers: { origin: url.origin, 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  expect(reply.status).toBe(200);
  const list = await fetch(new URL('api/workspaces', url), { headers: { authorization: `Bearer ${token}` } });
  expect(await list.json()).toMatchObject({ workspaces: [{ id: 'scratch', name: 'Scratch' }] });
  expect(readdirSync(host.cwd())).toEqual([]);
  expect(host.log()).not.toContain(token);
  host.signals.emit('SIGTERM', 'SIGTERM');
  expect(await code).toBe(0);
  await expect(fetch(url)).rejects.toThrow();
});

test('a password is asked for instead of the token, and no child inherits it', async () => {
  const host = await testHost();
  host.env.TSCODEX_PASSWORD = 'open sesame';
  const { url, code } = await host.start();
  expect(url.hash).toBe('');
  expect(host.env.TSCODEX_PASSWORD).toBeUndefined();
  const me = await fetch(new URL('api/me', url), { headers: { authorization: 'Bearer open sesame' } });
  expect(me.status).toBe(200);
  host.signals.emit('SIGINT', 'SIGINT');
  expect(await code).toBe(130);
});

test('no child inherits the keys of providers', async () => {
  const host = await testHost();
  host.env.OPENAI_API_KEY = 'key of the server';
  await host.start();
  expect(host.env.OPENAI_API_KEY).toBeUndefined();
});

test('a second server on the state directory is told who is there', async () => {
  const host = await testHost();
  await host.start();
  const second = new TestHost(host.dir);
  expect(await run(['--listen', '127.0.0.1:0'], second)).toBe(2);
  expect(second.err).toContain(`pid ${process.pid}`);
  expect(second.err).toContain('--state-dir');
});

test('a port in use is named with the way out, and nothing stays held', async () => {
  const host = await testHost();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  expect(await run(['--listen', `127.0.0.1:${port}`], host)).toBe(1);
  expect(host.err).toBe(
    `tscodex-ws: cannot listen on 127.0.0.1, port ${port}: something listens there already; ` +
      'choose another with --listen HOST:PORT\n',
  );
  await host.start();
});

test("the user's own list is used; a broken entry stops nothing, a broken file does", async () => {
  const host = await testHost();
  const list = join(host.cwd(), 'workspaces.json');
  await writeFile(
    list,
    JSON.stringify([
      { id: 'mine', work_dir: '.' },
      { id: 'gone', work_dir: './none' },
    ]),
  );
  const { code } = await host.start();
  expect(host.out).toMatch(
    / {2}mine: \S+here\n {2}gone: broken: workspaces\.json: \[1\]\.work_dir: \S+ does not exist\n$/,
  );
  host.signals.emit('SIGHUP', 'SIGHUP');
  expect(await code).toBe(0);
  await writeFile(list, '{"workspaces":[\n  {"id":}]}');
  expect(await run(['--listen', '127.0.0.1:0'], host)).toBe(2);
  expect(host.err).toMatch(/workspaces\.json:2:\d+: not valid JSON/);
});

test('a password file that holds nothing, or is none, is refused', async () => {
  const host = await testHost();
  await writeFile(join(host.dir, 'empty'), '\n');
  expect(await run(['--password-file', join(host.dir, 'empty')], host)).toBe(2);
  expect(await run(['--password-file', join(host.dir, 'none')], host)).toBe(2);
  expect(host.err).toMatch(
    /^tscodex-ws: --password-file: \S+empty is empty\ntscodex-ws: --password-file: ENOENT/,
  );
});

test('O-G2: a configuration that is broken is exit 2 with its place; an unknown key is one warning', async () => {
  const host = await testHost();
  const file = join(host.dir, 'codex', 'config.toml');
  for (const [text, place] of [
    ['model = "m"\n[mcp_servers.x]\ncommand = "C:\\dir\\x.exe"\n', ':3:'],
    ['model = 5\n', ':1: model: expected string, found number'],
    [
      '[tscodex]\ntoolset = ["exec_comand"]\n',
      ': unknown in the toolset: exec_comand; there are exec_command, ',
    ],
  ]) {
    host.err = '';
    await writeFile(file, text ?? '');
    expect(await run(['--listen', '127.0.0.1:0'], host)).toBe(2);
    expect(host.err).toContain(`tscodex-ws: ${file}${place}`);
  }
  await writeFile(file, 'model = "m"\nfrobnicate = 1\n');
  await host.start();
  expect(host.log().match(/frobnicate/g)).toHaveLength(1);
  expect(host.log()).toContain(`${file}:2: frobnicate is unknown`);
});
