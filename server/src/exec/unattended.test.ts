/** Programs that want a human (O-D2): each ends by itself or, in a terminal, waits where it can be answered. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { CommandCeiling } from './command-ceiling.ts';
import { CommandStage } from './commands.test-support.ts';
import { commandEnvironment } from './environment.ts';
import type { Confinement } from './sandbox/confinement.ts';

const COMMITS = 500;
const EVERYTHING = { inherit: 'all', secrets: false, exclude: [], set: {}, includeOnly: [] } as const;

let stage: CommandStage;
/** A directory in the stage's own: what lies directly in a root, as `.git` would, cannot be written when confined. */
let cwd: string;

async function openStage({ confined }: { confined: boolean }): Promise<void> {
  stage = await CommandStage.open(new CommandCeiling(), confined ? '/usr/bin/bwrap' : undefined);
  cwd = join(stage.cwd, 'repository');
  mkdirSync(cwd);
  const persons = { EDITOR: 'vi', VISUAL: 'vi', PAGER: 'less', GIT_EDITOR: 'vi', GIT_PAGER: 'less' };
  const home = { HOME: stage.cwd, LESS: '', GIT_CONFIG_NOSYSTEM: '1' };
  stage.env = commandEnvironment({ ...process.env, ...persons, ...home }, EVERYTHING);
  writeFileSync(join(stage.cwd, '.gitconfig'), GIT_CONFIG);
}

afterEach(async () => {
  await stage.processes.stopAll();
  const left = stage.living();
  await stage.close();
  expect(left).toEqual([]);
});

/** What people have set up for themselves. */
const GIT_CONFIG = `
[user]
  name = A
  email = a@example.org
[core]
  editor = vi
  pager = less
  askPass = /usr/bin/vi
[sequence]
  editor = vi
`;

/** The network is on, so that git finds the test's own server. */
function confinement(): Confinement {
  const nothing = { unixSockets: false, write: [], hidden: [], readable: [] };
  return { mode: 'workspace-write', network: true, roots: [stage.cwd], ...nothing };
}

/** A repository with 500 commits of one file and a change that is staged. */
function repository(): void {
  const commits = Array.from({ length: COMMITS }, (_, n) => [
    `commit refs/heads/main\ncommitter A <a@example.org> ${1_700_000_000 + n} +0000`,
    `data <<END\ncommit ${n}\nEND\nM 644 inline file\ndata <<END\nline ${n}\nEND\n`,
  ]);
  git(['init', '-q', '-b', 'main']);
  git(['fast-import', '--quiet'], commits.flat().join('\n'));
  git(['reset', '-q', '--hard']);
  writeFileSync(join(cwd, 'file'), 'staged\n');
  git(['add', 'file']);
}

function git(args: string[], input = ''): void {
  const { status, stderr } = spawnSync('git', args, { cwd, input, env: stage.env });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
}

describe.each([
  { tty: false, confined: false },
  { tty: true, confined: false },
  { tty: false, confined: true },
  { tty: true, confined: true },
])('in a terminal: $tty, confined: $confined', ({ tty, confined }) => {
  beforeEach(() => openStage({ confined }));

  async function ends(command: string) {
    const running = stage.run(command, { cwd, tty, confinement: confined ? confinement() : null });
    const { exitCode } = await running.exited;
    return { exitCode, output: running.output() };
  }

  test('git shows a long history without a pager', async () => {
    repository();
    const { exitCode, output } = await ends('git log --oneline');
    expect(exitCode).toBe(0);
    expect(output).toMatch(/commit 499[\s\S]*commit 250\r?\n[\s\S]*commit 0\r?\n/);
    expect((await ends('git diff --cached; git branch -a; git show HEAD~1')).output).toContain('commit 498');
  });

  test('git says that a message is missing, with what it would have asked for', async () => {
    repository();
    const { exitCode, output } = await ends('git commit');
    expect(exitCode).toBe(1);
    expect(output).toContain('modified:   file');
    expect(output).toContain('Aborting commit due to empty commit message');
  });

  test('git rebases without changing the list, and keeps the messages', async () => {
    repository();
    expect(await ends('git rebase -i HEAD~3')).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('uncommitted changes'),
    });
    await ends('git commit -m "the change"');
    const { exitCode, output } = await ends(
      'git rebase -i --no-ff HEAD~3 && git commit --amend && git log --format=%s -3',
    );
    expect(exitCode).toBe(0);
    expect(output).toMatch(/pick \w+ .*the change[\s\S]*the change\r?\ncommit 499\r?\ncommit 498\r?\n$/);
  });

  test('a manual page is printed', async () => {
    writeFileSync(join(cwd, 'page.1'), manualPage());
    const { exitCode, output } = await ends('man ./page.1');
    expect(output).toMatch(/PAGE\(1\)[\s\S]*line 1\b[\s\S]*line 400\b/);
    expect(exitCode).toBe(0);
  });

  test('git does not ask for a name or password', async () => {
    const server = createServer((_, reply) => {
      reply.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`;
    const { exitCode, output } = await ends(`git -c credential.helper= ls-remote ${url}`);
    expect(exitCode).toBe(128);
    expect(output).toContain('terminal prompts disabled');
  });

  test('git says that nobody answers', async () => {
    const { exitCode, output } = await ends('git -c credential.helper= ls-remote https://127.0.0.1:1/x.git');
    expect(exitCode).toBe(128);
    expect(output).toMatch(/fatal: unable to access/);
  });
});

describe('who asks, and who is asked for', () => {
  beforeEach(() => openStage({ confined: false }));
  /** As sudo and ssh ask: the terminal, whatever standard input is. */
  const ASKS = 'read -rsp "password: " word < /dev/tty && echo "got $word"';

  test('without a terminal a password cannot be asked for', async () => {
    const running = stage.run(`${ASKS} || exit 3`);
    expect(await running.exited).toEqual({ exitCode: 3, signal: null });
    expect(running.output()).toMatch(/\/dev\/tty: No such device or address/);
  });

  test('without a terminal nothing is read', async () => {
    const running = stage.run(`read -p 'name? ' n; echo "got [$n]"`);
    expect((await running.exited).exitCode).toBe(0);
    expect(running.output()).toBe('got []\n');
  });

  test.each([
    [ASKS, 'password: '],
    [`read -p 'name? ' n; echo "got $n"`, 'name? '],
  ])('in a terminal a question waits for its answer: %s', async (command, question) => {
    const running = stage.run(command, { tty: true });
    await stage.until(running, question);
    running.write('x\n');
    expect((await running.exited).exitCode).toBe(0);
    expect(running.output()).toContain('got x');
  });

  test.each([
    ['vi file', 'vi'],
    ['less long', 'less'],
  ])('what is called by its name in a terminal waits, and ends with its session: %s', async (command) => {
    writeFileSync(join(stage.cwd, 'long'), 'line\n'.repeat(1000));
    const running = stage.run(command, { tty: true });
    await stage.eventually(() => expect(stage.living()).toContain(command));
    await stage.eventually(() => expect(running.output()).not.toBe(''));
    expect(running.exit).toBeNull();
    await stage.processes.stopAll();
    expect(stage.living()).toEqual([]);
  });
});

function manualPage(): string {
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n + 1}\n.br\n`);
  return `.TH PAGE 1\n.SH NAME\npage \\- a page\n.SH TEXT\n${lines.join('')}`;
}
