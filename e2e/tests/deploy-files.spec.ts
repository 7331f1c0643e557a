/** The units and the Dockerfile under `deploy/`: what of them can be tried without systemd as pid 1 and without Docker. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { runCommand } from '../support/command.ts';
import { Box } from '../support/server.ts';
import { test } from '../support/stage.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFile(join(root, path), 'utf8');

const units = [
  { kind: 'system', words: [] },
  { kind: 'user', words: ['--user'] },
];

for (const { kind, words } of units)
  test(`systemd accepts the ${kind} unit`, async () => {
    const home = await mkdtemp(join(tmpdir(), 'tscodex-unit-'));
    try {
      const unit = (await read(`deploy/systemd/${kind}/tscodex-ws.service`)).replaceAll('/opt/', `${home}/`);
      const file = join(home, 'tscodex-ws.service');
      await writeFile(file, unit);
      // it looks whether there is a program to start
      const program = /^ExecStart=(\S+)/m.exec(unit)?.[1]?.replace('%h', home) ?? '';
      await mkdir(dirname(program), { recursive: true });
      await writeFile(program, '');
      await chmod(program, 0o755);
      const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: home };
      const { stderr } = await run('systemd-analyze', [...words, 'verify', '--man=no', file], { env }).catch(
        (error) => {
          if (error.code !== 'ENOENT') throw error;
          throw new Error('systemd-analyze is not installed here; run: sudo apt-get install -y systemd');
        },
      );
      // what it says about other units of the machine is not ours
      expect(stderr.split('\n').filter((line) => line.includes('tscodex'))).toEqual([]);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  });

test('the command of the system unit starts, is stopped by SIGTERM and counts as ended well', async () => {
  const unit = await read('deploy/systemd/system/tscodex-ws.service');
  const command = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
  expect(command).toMatch(
    / --listen 127\.0\.0\.1:6007 --password-file \$\{CREDENTIALS_DIRECTORY\}\/password$/,
  );
  expect(unit).toMatch(/^KillSignal=SIGTERM$/m);

  const box = await Box.make();
  try {
    const file = join(box.dir, 'password');
    await writeFile(file, 'correct horse\n', { mode: 0o400 });
    const server = await box.start(['--password-file', file]);
    // no token in what systemd would put into the journal
    expect(`${server.stdout}${server.stderr}`).not.toMatch(/token|correct horse/);

    // a second server on the same state: wrong use, for which the unit does not try again
    const second = await runCommand(box, ['--listen', '127.0.0.1:0', '--workspace-config', box.configPath]);
    expect(second.code).toBe(Number(/^RestartPreventExitStatus=(\d+)$/m.exec(unit)?.[1]));
    expect(await server.kill('SIGTERM')).toBe(0);
  } finally {
    await box.remove();
  }
});

test('the health check of the Dockerfile tells a server that answers from one that does not', async ({
  open,
}) => {
  const { server } = await open();
  const line = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(await read('Dockerfile'))?.[1] ?? '[]';
  const [program, ...words] = (JSON.parse(line) as string[]).map((word) =>
    word.replace('127.0.0.1:6007', new URL(server.url).host),
  );
  expect(program).toBe('node');
  const check = () => run(process.execPath, words);
  await expect(check()).resolves.toBeTruthy();
  await server.kill('SIGTERM');
  await expect(check()).rejects.toMatchObject({ code: 1 });
});

test('the image runs as nobody special, with state and workspaces outside, and takes no secrets in', async () => {
  const dockerfile = await read('Dockerfile');
  const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^VOLUME \["\/state", "\/workspaces"\]$/m);
  expect(last).toMatch(/^ENTRYPOINT \["tini", "--", "tscodex-ws"/m);
  expect(dockerfile).not.toMatch(/^(ARG|ENV) .*(PASSWORD|TOKEN|KEY)/im);
  const ignored = (await read('.dockerignore')).split('\n');
  for (const path of ['.git', '**/.env', '**/workspaces.json', '**/node_modules'])
    expect(ignored).toContain(path);
});
