import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CommandStage } from '../commands.test-support.ts';
import type { RunningProcess } from '../running-process.ts';
import type { Confinement } from './confinement.ts';

let stage: CommandStage;
let dir: string;
/** What another command does while bubblewrap is started, in bash; "$@" are bubblewrap's arguments. */
const attack = (script: string) => writeFileSync(join(dir, 'attack'), script);

beforeEach(async () => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'tscodex-mounts-')));
  for (const name of ['work/sub', 'work/decoy', 'outside', 'hidden/shown'])
    mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, 'hidden/secret'), 'SECRET');
  const bwrap = join(dir, 'bwrap');
  writeFileSync(bwrap, `#!/bin/bash\ncd ${dir}\n[ -e attack ] && . ./attack\nexec /usr/bin/bwrap "$@"\n`);
  chmodSync(bwrap, 0o755);
  stage = await CommandStage.open(undefined, bwrap);
});
afterEach(async () => {
  await stage.close();
  rmSync(dir, { recursive: true });
});

function run(command: string, changes: Partial<Confinement>): RunningProcess {
  const confinement: Confinement = {
    ...{ mode: 'workspace-write', network: false, unixSockets: false },
    ...{ roots: [], write: [], hidden: [], readable: [] },
    ...changes,
  };
  return stage.run(command, { cwd: join(dir, 'work'), confinement });
}

/** bubblewrap is told something else than what it was to be told, as if its look had fallen between two exchanges. */
function instead(of: string, by: string): void {
  attack(
    `args=("$@"); for i in "\${!args[@]}"; do
      [ "\${args[*]:i:3}" = "${of}" ] && set -- "\${@:1:i}" ${by} "\${@:i+4}"
    done`,
  );
}

test('a directory that is exchanged for a link before it is mounted stops the command', async () => {
  const sub = join(dir, 'work/sub');
  attack('mv work/sub work/gone; ln -s ../outside work/sub');
  const { failure } = await run('touch sub/pwned; echo ran', { roots: [sub] }).exited;
  expect(failure).toMatchObject({ code: 'grants.changed' });
  expect(existsSync(join(dir, 'outside/pwned'))).toBe(false);
});

test.each([
  ['exchanged back at once', 'work/sub'],
  ['mounted under another name', 'work/decoy'],
  ['mounted where the link leads', 'outside'],
])('nor may it be %s', async (_, at) => {
  const [work, sub] = [join(dir, 'work'), join(dir, 'work/sub')];
  instead(`--bind ${sub} ${sub}`, `--bind ${dir}/outside ${dir}/${at}`);
  const { failure } = await run(`touch ${dir}/${at}/pwned`, { roots: [work, sub] }).exited;
  expect(failure).toMatchObject({ code: 'grants.changed' });
  expect(existsSync(join(dir, 'outside/pwned'))).toBe(false);
});

test.each(['/hidden', '', '/work'])('what is shown of something hidden is not “%s”', async (what) => {
  const [hidden, shown] = [join(dir, 'hidden'), join(dir, 'hidden/shown')];
  instead(`--ro-bind ${shown} ${shown}`, `--ro-bind ${dir}${what} ${shown}`);
  const running = run(`cat ${shown}/secret ${shown}/hidden/secret`, { hidden: [hidden], readable: [shown] });
  expect((await running.exited).failure).toMatchObject({ code: 'grants.changed' });
  expect(running.output()).not.toContain('SECRET');
});

test('the root directory is shown nowhere else, and no directory can be written on top of itself', async () => {
  const git = join(dir, 'work/.git');
  mkdirSync(join(git, 'hooks'), { recursive: true });
  instead(`--ro-bind ${git} ${git}`, `--ro-bind / ${dir}/work/decoy`);
  const roots = [join(dir, 'work')];
  expect((await run('ls decoy', { roots }).exited).failure).toMatchObject({ code: 'grants.changed' });
  instead(`--ro-bind ${git} ${git}`, `--bind / /`);
  expect((await run('true', { roots }).exited).failure?.code).toMatch(/^(grants\.changed|sandbox\.start)$/);
});

test('all kinds of names are told apart', async () => {
  const roots = ['a b\\c', 'x.*[y]$(z)|^', 'ü\t文\n', '#'].map((name) => join(dir, name));
  for (const root of roots) mkdirSync(root);
  const running = run(`cd ${dir}; for d in */; do touch "$d/in"; done; ls -d */in | wc -l`, { roots });
  expect(await running.exited).toEqual({ exitCode: 0, signal: null });
  for (const root of roots) expect(existsSync(join(root, 'in'))).toBe(true);
});
