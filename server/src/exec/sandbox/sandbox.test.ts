import { mkdirSync, readdirSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandStage } from '../commands.test-support.ts';
import { ProcessReader } from '../process-list.ts';
import type { CommandStart, RunningProcess } from '../running-process.ts';
import type { Confinement } from './confinement.ts';

const BWRAP = '/usr/bin/bwrap';

let stage: CommandStage;

beforeEach(async () => {
  stage = await CommandStage.open(undefined, BWRAP);
});

afterEach(() => stage.close());

/** Writable: the stage's own directory. */
function confinement(changes: Partial<Confinement> = {}): Confinement {
  return {
    ...{ mode: 'workspace-write', network: false, unixSockets: false },
    ...{ roots: [stage.cwd], write: [], hidden: [], readable: [] },
    ...changes,
  };
}

function run(
  command: string,
  changes: Partial<Confinement> = {},
  options: Partial<CommandStart> = {},
): RunningProcess {
  return stage.run(command, { confinement: confinement(changes), ...options });
}

async function outputOf(running: RunningProcess): Promise<string> {
  await running.exited;
  return running.output();
}

test('a command writes where it may and nowhere else, and its end is its own', async () => {
  const outside = join(tmpdir(), `outside-${process.pid}`);
  const running = run(`echo in > in && cat in; (echo out > ${outside}) 2>&1; exit 3`);
  expect(await running.exited).toEqual({ exitCode: 3, signal: null });
  expect(running.output()).toMatch(/^in\n.*Read-only file system\n$/s);
  expect(await run('kill -SEGV $$').exited).toEqual({ exitCode: 139, signal: null });
  expect(readdirSync(stage.cwd).sort()).toEqual(['.sandbox', 'in']);
});

test('nothing of it is left behind, and nothing is waited for', async () => {
  const running = run('(setsid sleep 500 &); sleep 501 & echo started');
  expect(await running.exited).toEqual({ exitCode: 0, signal: null });
  expect(running.output()).toBe('started\n');
  expect(stage.living()).toEqual([]);
  expect(readdirSync(join(stage.cwd, '.sandbox')).filter((name) => name.startsWith('status'))).toEqual([]);
});

test.each([false, true])(
  'a stop reaches what is inside, which may end in order (terminal: %s)',
  async (tty) => {
    const running = run(
      "trap 'echo bye; exit 5' TERM HUP; echo up; while :; do sleep 0.05; done",
      {},
      { tty },
    );
    await stage.until(running, 'up');
    await running.stop();
    expect(running.exit).toEqual({ exitCode: 5, signal: null });
    expect(running.output()).toContain('bye');
    expect(stage.living()).toEqual([]);
  },
);

test.each([false, true])(
  'what ignores TERM is killed with all it has started (terminal: %s)',
  async (tty) => {
    const command =
      "trap '' TERM HUP; (setsid setsid sleep 510 &); sleep 511 & echo up; while :; do wait; sleep 1; done";
    const running = run(command, {}, { tty });
    await stage.until(running, 'up');
    await running.stop();
    expect(running.exit).toEqual({ exitCode: null, signal: 'SIGKILL' });
    expect(stage.living()).toEqual([]);
  },
);

test('what TERM ends says so', async () => {
  const running = run('echo up; sleep 520');
  await stage.until(running, 'up');
  await running.stop();
  expect(running.exit).toEqual({ exitCode: null, signal: 'SIGTERM' });
});

test('what was started only just now can be stopped', async () => {
  for (let i = 0; i < 10; i++) {
    await run('sleep 530').stop();
    await run('sleep 530', {}, { tty: true }).stop();
  }
  expect(stage.living()).toEqual([]);
});

test('Ctrl-C for a command without a terminal', async () => {
  const running = run("trap 'echo cut; exit 7' INT; echo up; while :; do sleep 0.05; done");
  await stage.until(running, 'up');
  running.interrupt();
  expect(await running.exited).toEqual({ exitCode: 7, signal: null });
});

test('Ctrl-C in a terminal reaches the command alone', async () => {
  const running = run(
    'stty size; read -p "name? " n; trap "echo cut; exit 7" INT; echo "got $n"; sleep 540',
    {},
    { tty: true },
  );
  await stage.until(running, 'name? ');
  running.write('x\n');
  await stage.until(running, 'got x');
  running.write('\u0003');
  expect(await running.exited).toEqual({ exitCode: 7, signal: null });
  expect(running.output()).toMatch(/^24 80\r\n.*cut\r\n$/s);
});

test('a shell in a terminal has job control, and outlives the Ctrl-C of its commands', async () => {
  const running = run('bash -i', {}, { argv: ['bash', '--norc', '-i'], tty: true });
  // its prompt: what is typed before would be echoed twice
  await stage.eventually(() => expect(running.output()).toMatch(/[$#>] $/));
  running.write('sleep 550\n');
  await stage.eventually(() => expect(stage.living()).toContain('sleep 550'));
  running.write('\u001a');
  await stage.until(running, 'Stopped');
  running.write('fg\n');
  // typed, told of as stopped, and told of as resumed
  await stage.eventually(() => expect(running.output().match(/sleep 550/g)).toHaveLength(3));
  running.write('\u0003');
  await stage.eventually(() => expect(stage.living()).not.toContain('sleep 550'));
  running.write('echo "still $((40+2))"; exit 4\n');
  expect(await running.exited).toEqual({ exitCode: 4, signal: null });
  expect(running.output()).toContain('still 42');
  expect(running.output()).not.toMatch(/no job control/);
});

test('a program that does not exist', async () => {
  const { failure } = await run('x', {}, { argv: ['/no/such/shell', '-c', 'x'] }).exited;
  expect(failure).toMatchObject({
    code: 'exec.start',
    message: '/no/such/shell could not be started: No such file or directory',
  });
});

test('a sandbox that cannot be set up is told from a command that fails', async () => {
  const gone = join(stage.cwd, 'gone');
  mkdirSync(gone);
  const running = run('echo hello', { roots: [gone] }, { cwd: gone });
  rmdirSync(gone);
  const exit = await running.exited;
  expect(exit.failure).toMatchObject({ code: 'sandbox.start' });
  expect(exit.failure?.message).toMatch(/^nothing was run, the sandbox could not be set up: bwrap: /);
});

test('what vanished while the sandbox was set up costs another try, not the command', async () => {
  const fake = join(stage.cwd, 'bwrap');
  const once = join(stage.cwd, 'once');
  writeFileSync(
    fake,
    `#!/bin/bash\n[ -e ${once} ] && { rm ${once}; echo "bwrap: Can't create file at /tmp/x" >&2; exit 1; }\nexec ${BWRAP} "$@"\n`,
    { mode: 0o755 },
  );
  const other = await CommandStage.open(undefined, fake);
  writeFileSync(once, '');
  const running = other.run('echo hello; exit 3', { confinement: confinement() });
  expect(await running.exited).toEqual({ exitCode: 3, signal: null });
  expect(running.output()).toBe('hello\n');
  expect(running.readNew().head).toBe('hello\n');
  await other.close();
});

test('what could not be started leaves nothing: neither its files nor what it has counted', async () => {
  const files = join(stage.cwd, '.sandbox');
  const list = join(files, 'placeholders.json');
  rmSync(list, { force: true });
  mkdirSync(list);
  expect(() => run('true')).toThrow('EISDIR');
  expect(readdirSync(files).filter((name) => /^(status|environment)-/.test(name))).toEqual([]);
  rmdirSync(list);
  expect(await outputOf(run('true'))).toBe('');
  expect(readdirSync(stage.cwd)).toEqual(['.sandbox']);
});

test('what is protected and missing cannot be made, and stays missing', async () => {
  const one = run('mkdir .git .codex 2>&1; echo x > .agents/x; sleep 560');
  await stage.until(one, '.agents/x');
  expect(one.output().match(/File exists|Read-only file system/g)).toHaveLength(3);
  // what the first one needs, the second one's end must not take away
  expect(await outputOf(run('touch .git/x 2>&1'))).toContain('Read-only file system');
  expect(readdirSync(stage.cwd).sort()).toEqual(['.agents', '.codex', '.git', '.sandbox']);
  await one.stop();
  expect(readdirSync(stage.cwd)).toEqual(['.sandbox']);
});

test('a working directory in a hidden place works, and shows nothing else of it', async () => {
  const hidden = join(stage.cwd, 'state');
  const work = join(hidden, 'workspaces', 'demo');
  mkdirSync(work, { recursive: true });
  writeFileSync(join(hidden, 'token'), 'secret');
  writeFileSync(join(hidden, 'readme'), 'open');
  const running = run(
    `echo x > f; ls; ls ${hidden}; cat ${hidden}/token; cat ${hidden}/readme; echo; ls ${hidden}/workspaces`,
    { hidden: [hidden], roots: [work], readable: [join(hidden, 'readme')] },
    { cwd: work },
  );
  expect(await outputOf(running)).toMatch(
    /^f\nls: .*Permission denied\ncat: .*No such file or directory\nopen\ndemo\n$/s,
  );
});

test('a read-only one in a hidden place sees itself', async () => {
  const work = join(stage.cwd, 'state', 'demo');
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'f'), 'mine');
  const running = run(
    'cat f; echo; echo x > g',
    { mode: 'read-only', hidden: [join(stage.cwd, 'state')], readable: [work], roots: [] },
    { cwd: work },
  );
  expect(await outputOf(running)).toMatch(/^mine\n.*g: Read-only file system\n$/s);
});

test('other work beside and around the own', async () => {
  const [mine, inner, around] = ['a/mine', 'a/mine/inner', 'a'].map((name) => join(stage.cwd, name));
  mkdirSync(inner as string, { recursive: true });
  writeFileSync(join(inner as string, 'x'), 'secret');
  writeFileSync(join(around as string, 'y'), 'secret');
  const running = run(
    `echo x > ok && cat ok; cat inner/x; cat ${around}/y`,
    { hidden: [around as string, inner as string], roots: [mine as string] },
    { cwd: mine },
  );
  expect(await outputOf(running)).toMatch(/^x\ncat: inner\/x: Permission denied\ncat: .*No such file/s);
});

test('a repository that a person allowed to be written commits, and runs nothing later', async () => {
  const git = join(stage.cwd, '.git');
  const init = stage.run(
    'git init -q && rm -r .git/hooks && git config user.name a && git config user.email a@b',
  );
  await init.exited;
  const commands = [
    'git commit -qm one --allow-empty && git log -1 --oneline | grep -c one',
    'mkdir -p .git/hooks && echo x > .git/hooks/pre-commit && echo BAD hooks',
    'git config core.fsmonitor x && echo BAD config',
    'echo ../evil > .git/commondir',
  ];
  for (const roots of [[stage.cwd], []]) {
    const running = run(commands.join('; '), { roots, write: [git] });
    await running.exited;
    expect(running.output()).toMatch(/^1\n/);
    expect(running.output()).not.toContain('BAD');
    expect(readdirSync(git)).not.toContain('commondir');
    expect(readdirSync(git)).not.toContain('hooks');
    rmSync(join(git, 'index'), { force: true });
  }
});

test('a workspace below a directory with a protected name is protected like any other', async () => {
  const work = join(stage.cwd, '.codex', 'tscodex', 'work');
  mkdirSync(work, { recursive: true });
  const running = run(
    'mkdir -p .git/hooks && echo BAD; echo x > fine && cat fine',
    { roots: [work] },
    { cwd: work },
  );
  const output = await outputOf(running);
  expect(output).not.toContain('BAD');
  expect(output).toMatch(/x\n$/);
});

test('the way to what is protected cannot be moved aside', async () => {
  const work = join(stage.cwd, 'a', 'b', 'work');
  mkdirSync(work, { recursive: true });
  const running = run(
    `mv ${stage.cwd}/a ${stage.cwd}/other 2>&1; mv ${stage.cwd}/a/b ${stage.cwd}/a/c 2>&1`,
    {
      roots: [stage.cwd, work],
    },
  );
  expect((await outputOf(running)).match(/Device or resource busy/g)).toHaveLength(2);
});

test.each([
  ['/', 'everything would be writable'],
  ['/proc', 'what is in /proc belongs to the system'],
  ['/no/such/root', 'it does not exist'],
])('%s cannot be let write in', (root, why) => {
  expect(() => run('true', { roots: [root] })).toThrow(
    expect.objectContaining({ code: 'sandbox.root', details: { path: root, why } }),
  );
});

test.each(['.git', '.codex', '.agents'])(
  'a link in the place of %s is refused, also one that dangles',
  (name) => {
    symlinkSync('/no/such/place', join(stage.cwd, name));
    expect(() => run('true')).toThrow(
      expect.objectContaining({
        code: 'sandbox.protected',
        details: { path: join(stage.cwd, name), root: stage.cwd },
      }),
    );
    expect(() => run('true', { mode: 'read-only' })).not.toThrow();
  },
);

test('a hidden working directory is refused', () => {
  expect(() => run('true', { hidden: [stage.cwd], roots: [] })).toThrow(
    expect.objectContaining({ code: 'sandbox.cwd' }),
  );
});

test('a home that can be written keeps its start-up files, and what is missing of them', async () => {
  writeFileSync(join(stage.cwd, '.bashrc'), 'mine');
  mkdirSync(join(stage.cwd, '.local'));
  writeFileSync(join(stage.cwd, '.local', 'x'), '');
  mkdirSync(join(stage.cwd, '.unheard-of'));
  writeFileSync(join(stage.cwd, '.unheard-of', 'rc'), 'mine');
  symlinkSync('fine', join(stage.cwd, '.link'));
  const command =
    'for f in .bashrc .profile .ssh/x .config/x .local/bin/x .npmrc .bash_aliases .zshenv bin/x .cargo/x .unheard-of/rc; do echo x >> $f && echo "BAD $f"; done; mv .local y; echo x > fine && cat fine';
  const output = await outputOf(run(command, {}, { env: { ...stage.env, HOME: stage.cwd } }));
  expect(output).toContain('\nx\n');
  expect(output).not.toContain('BAD');
  expect(output).toContain("cannot move '.local'");
  expect(readdirSync(stage.cwd).sort()).toEqual([
    ...['.bashrc', '.link', '.local', '.sandbox', '.unheard-of', 'fine'],
  ]);
});

test('with the network on, the places where services of a person listen are hidden as a whole', async () => {
  const place = `/tmp/tmux-${process.getuid?.()}`;
  const made = mkdirSync(place, { recursive: true, mode: 0o700 });
  const file = join(place, `made-later-${process.pid}`);
  const command = `echo up; until [ -e go ]; do sleep 0.05; done; ls -A ${place}; cat ${file}`;
  const running = run(command, { network: true, roots: [stage.cwd, '/tmp'] });
  await stage.until(running, 'up');
  writeFileSync(file, 'SOCKET');
  writeFileSync(join(stage.cwd, 'go'), '');
  await running.exited;
  expect(running.output()).not.toContain(`made-later-${process.pid}\n`);
  expect(running.output()).not.toContain('SOCKET');
  rmSync(made ?? file, { recursive: true });
});

test('a link in place of a directory that was judged is not followed', async () => {
  const real = join(stage.cwd, 'real');
  const link = join(stage.cwd, 'link');
  mkdirSync(real);
  symlinkSync(real, link);
  const start = (changes: Partial<Confinement>) => () => run('true', { roots: [], ...changes });
  expect(start({ roots: [link] })).toThrow(expect.objectContaining({ code: 'session.cwd-changed' }));
  expect(start({ write: [link] })).toThrow(expect.objectContaining({ code: 'grants.changed' }));
  writeFileSync(join(real, 'secret'), 'SECRET');
  const hidden = { hidden: [real], readable: [link], roots: [] };
  expect(await outputOf(run(`cat ${link}/secret ${real}/secret`, hidden))).not.toContain('SECRET');
});

test('a machine that cannot confine runs nothing that is to be confined', async () => {
  const other = await CommandStage.open();
  expect(() => other.run('true', { confinement: confinement() })).toThrow(
    expect.objectContaining({ code: 'sandbox.unavailable' }),
  );
  expect(await outputOf(other.run('echo free'))).toBe('free\n');
  await other.close();
});

test('what a command may fill of the memory with files is bounded', async () => {
  const running = run(
    'df -B1M --output=size /dev/shm | tail -1; echo x > /dev/shm/x && cat /dev/shm/x; echo x > /dev/x',
  );
  const [size, read, refused] = (await outputOf(running)).trim().split('\n');
  expect([Number(size), read]).toEqual([512, 'x']);
  expect(refused).toMatch(/Read-only file system/);
});

test('the processes inside are found below the one that was started', async () => {
  const running = run('(setsid sleep 570 &); echo up; sleep 571');
  await stage.until(running, 'up');
  await stage.eventually(() => expect(stage.living()).toContain('sleep 570'));
  expect((await new ProcessReader().read()).below(running.pid).length).toBeGreaterThanOrEqual(3);
});
