/**
 * The tarball, installed as its user does: plain npm, an empty folder, and a PATH without a compiler, make or
 * Python. `TSCODEX_TEST_NODE` names another Node; `scripts/test-package.mjs` runs this with several.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { answered } from '../support/conversation.ts';
import { Box } from '../support/server.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

let dir: string;
/** The folder it is installed in. */
let folder: string;
/** Of somebody who has Node, npm and a shell; the registry and its proxy stay those of whoever runs the tests. */
let env: Record<string, string>;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  dir = await realpath(await mkdtemp(join(tmpdir(), 'tscodex-package-')));
  env = await narrowEnvironment(dir);
  const { stdout: tarball } = await run(process.execPath, [join(root, 'scripts/pack.mjs'), dir]);
  folder = join(dir, 'app');
  await mkdir(folder);
  const install = ['install', '--no-audit', '--no-fund', tarball.trim()];
  const { stderr } = await run(join(dir, 'bin/npm'), install, { cwd: folder, env });
  expect(stderr).not.toMatch(/EBADENGINE|deprecated|gyp/);
});

test.afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
});

test('the package asks npm for the two packages with binaries only, and says whose code is inside', async () => {
  const home = join(folder, 'node_modules/tscodex');
  const manifest = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'));
  expect(Object.keys(manifest.dependencies).sort()).toEqual(['@lydell/node-pty', 'libsql']);
  expect(manifest).not.toHaveProperty('devDependencies');
  expect(manifest.bin).toEqual({ tscodex: 'dist/tscodex.js', 'tscodex-ws': 'dist/tscodex-ws.js' });
  expect((await readdir(home)).sort()).toEqual([
    ...['CHANGELOG.md', 'LICENSE', 'README.md', 'README.zh-CN.md', 'THIRD-PARTY-NOTICES'],
    ...['deploy', 'dist', 'docs', 'package.json'],
  ]);
  const notices = await readFile(join(home, 'THIRD-PARTY-NOTICES'), 'utf8');
  // one from the server, one from the page, a font, one whose text we carry, one of which we carry a file
  for (const name of ['fastify', 'react-dom', '@fontsource-variable/inter', 'wouter', 'tree-sitter-bash'])
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(`, 'm'));
});

test('the installed command tells its version and its flags', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'server/package.json'), 'utf8'));
  const command = join(folder, 'node_modules/.bin/tscodex-ws');
  expect((await run(command, ['--version'], { env })).stdout.trim()).toBe(version);
  expect((await run(command, ['--help'], { env })).stdout).toContain('--workspace-config PATH');
});

test('the installed server lets in, serves its page and answers', async () => {
  const box = await Box.make();
  const server = await box.start([], { PATH: env.PATH ?? '' }, [
    join(folder, 'node_modules/.bin/tscodex-ws'),
  ]);
  try {
    const login = await fetch(new URL('api/login', server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(server.url).origin },
      body: JSON.stringify({ token: server.token }),
    });
    expect(login.status).toBe(200);
    const cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const page = await fetch(server.url, { headers: { cookie } });
    expect(page.status).toBe(200);
    const html = await page.text();
    const script = /<script type="module"[^>]* src="\.\/(assets\/[^"]+)"/.exec(html)?.[1] ?? 'no script';
    const loaded = await fetch(new URL(script, server.url));
    expect(loaded.status).toBe(200);
    expect(loaded.headers.get('content-type')).toContain('text/javascript');

    // what is loaded only when it is asked for
    expect(await (await server.request('GET', 'metrics')).text()).toContain('tscodex_sockets 0');
    expect(await server.api('GET', 'api/openapi.json')).toMatchObject({ openapi: '3.1.0' });

    const session = await server.newSession();
    await server.send(session, 'hello');
    expect(answered(await server.idle(session)).join()).toContain('hello');

    // a command is split by bash's grammar, which lies beside the program: else no rule would fit it
    await mkdir(join(box.codexHome, 'rules'));
    await writeFile(
      join(box.codexHome, 'rules/default.rules'),
      'prefix_rule(pattern=["ls"], decision="allow")\n',
    );
    await server.send(session, 'files');
    const { items } = await server.idle(session);
    expect(items).toContainEqual(expect.objectContaining({ command: 'ls -la', status: 'completed' }));

    // a patch is written by a program that is carried along
    await server.send(session, 'board');
    const written = await server.until(session, (state) => state.asks.length > 0);
    await server.api('POST', `api/sessions/${session}/asks/${written.asks[0]?.id}`, { choice: 'once' });
    await server.idle(session);
    expect(await readFile(join(box.workDir, '.tscodex/demo.html'), 'utf8')).toContain('<');
    expect(await server.kill('SIGTERM')).toBe(0);
  } finally {
    await server.kill();
    await box.remove();
  }
});

async function narrowEnvironment(dir: string): Promise<Record<string, string>> {
  const bin = join(dir, 'bin');
  await mkdir(bin);
  const find = async (tool: string) => (await run('sh', ['-c', `command -v ${tool}`])).stdout.trim();
  const tools = {
    node: await realpath(process.env.TSCODEX_TEST_NODE ?? process.execPath),
    npm: await realpath(await find('npm')),
    sh: await find('sh'),
    env: await find('env'),
    // what the agent runs takes a pipe
    mkfifo: await find('mkfifo'),
  };
  for (const [name, path] of Object.entries(tools)) await symlink(path, join(bin, name));
  const { stdout: globalconfig } = await run('npm', ['config', 'get', 'globalconfig']);
  // npm tells its scripts where it runs; another npm would take that for its own settings
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_(?!config_(registry|cafile|https_proxy|proxy|noproxy|userconfig)$)|pnpm_|node_options|path$)/i.test(
        name,
      ),
  );
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    npm_config_globalconfig: globalconfig.trim(),
    PATH: bin,
  };
}
