import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CommandCeiling } from '../exec/command-ceiling.ts';
import { ProcessManager } from '../exec/process-manager.ts';
import type { Confinement } from '../exec/sandbox/confinement.ts';
import { Sandbox } from '../exec/sandbox/sandbox.ts';
import type { PlannedChange } from './patch-plan.ts';
import { directoriesOf, writePatch } from './patch-writer.ts';

const isRoot = process.getuid?.() === 0;
/** Nobody's on this machine. */
const SOMEBODY = 54_321;

let dir: string;
let cwd: string;
let processes: ProcessManager;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'patch-writer-')));
  cwd = join(dir, 'w');
  await mkdir(cwd);
  await mkdir(join(dir, 'outside'));
  await chmod(dir, 0o755);
  vi.stubEnv('TMPDIR', dir);
  const sandbox = await Sandbox.open({ bwrap: '/usr/bin/bwrap', dir: join(dir, 'sandbox') });
  // what is tested here is no test where nothing confines
  expect(sandbox.problem).toBeNull();
  const marker = `patch-writer-${process.pid}`;
  processes = new ProcessManager({
    marker,
    sandbox,
    ceiling: new CommandCeiling(),
    onBackground: () => undefined,
  });
});
afterEach(async () => {
  await processes.stopAll();
  vi.unstubAllEnvs();
  await rm(dir, { recursive: true });
});

const held = (over: Partial<Confinement> = {}): Confinement => ({
  ...{ mode: 'workspace-write', network: false, unixSockets: false },
  ...{ roots: [cwd], write: [], hidden: [], readable: [] },
  ...over,
});

function add(path: string, text = 'x\n'): PlannedChange {
  return { kind: 'add', name: path, path, before: null, after: Buffer.from(text), diff: '' };
}

const write = (changes: PlannedChange[], confinement: Confinement | null) =>
  writePatch(changes, confinement, {
    ...{ processes, cwd, itemId: 'item' },
    environment: async () => ({ PATH: process.env.PATH ?? '', HOME: dir }),
  });

test('what lies inside is written, a folder and all, and nothing is left of how it got there', async () => {
  await write([add(join(cwd, 'new/deep/f'), 'é\n'), add(join(cwd, 'g'))], held());
  expect(await readFile(join(cwd, 'new/deep/f'), 'utf8')).toBe('é\n');
  expect((await readdir(cwd)).sort()).toEqual(['g', 'new']);
  expect((await readdir(dir)).sort()).toEqual(['outside', 'sandbox', 'w']);
});

test('what lies outside is refused by the sandbox, and then nothing inside is written either', async () => {
  await expect(write([add(join(cwd, 'in')), add(join(dir, 'outside/out'))], held())).rejects.toMatchObject({
    code: 'patch.write',
    message: expect.stringContaining('EROFS'),
  });
  expect([await readdir(cwd), await readdir(join(dir, 'outside'))]).toEqual([[], []]);
});

test('with its directory allowed it is written there', async () => {
  const path = join(dir, 'outside/new/out');
  const grant = await directoriesOf([path]);
  expect(grant).toEqual([join(dir, 'outside')]);
  await write([add(path)], held({ write: grant }));
  expect(await readFile(path, 'utf8')).toBe('x\n');
});

test('a folder that became a link since is a refusal', async () => {
  await symlink(join(dir, 'outside'), join(cwd, 'folder'));
  const allowed = held({ write: [join(dir, 'outside')] });
  await expect(write([add(join(cwd, 'folder/f'))], allowed)).rejects.toMatchObject({
    code: 'patch.conflict',
  });
  expect(await readdir(join(dir, 'outside'))).toEqual([]);
});

test('a file that somebody has changed since is not overwritten', async () => {
  const path = join(cwd, 'f');
  await writeFile(path, 'somebody else\n');
  const change: PlannedChange = { ...add(path, 'new\n'), kind: 'update', before: Buffer.from('old\n') };
  await expect(write([change], held())).rejects.toMatchObject({ code: 'patch.conflict' });
  expect(await readFile(path, 'utf8')).toBe('somebody else\n');
});

test('a file of megabytes', async () => {
  const text = 'line\n'.repeat(1_500_000);
  await write([add(join(cwd, 'large'), text)], held());
  expect((await stat(join(cwd, 'large'))).size).toBe(text.length);
});

describe.runIf(isRoot)('where this server is root and the directory is somebody’s', () => {
  test.each([['confined'], ['not confined']])('it is written as theirs, %s', async (how) => {
    await chown(cwd, SOMEBODY, SOMEBODY);
    await write([add(join(cwd, 'new/f'))], how === 'confined' ? held() : null);
    for (const path of ['new', 'new/f']) expect((await stat(join(cwd, path))).uid).toBe(SOMEBODY);
    await expect(write([add(join(dir, 'outside/f'))], null)).rejects.toMatchObject({
      message: expect.stringContaining('EACCES'),
    });
  });
});
