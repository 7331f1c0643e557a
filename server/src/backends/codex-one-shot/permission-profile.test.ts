import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Place } from '../../exec/sandbox/mount-plan.ts';
import { permissionProfile, placeOfProgram } from './permission-profile.ts';

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'codex-profile-')));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const place = (path: string, access: Place['access']): Place => ({ path, access, directory: true });

test('what is written, kept and hidden is as it is for commands of the session', () => {
  const plan = [place('/w', 'write'), place('/w/.git', 'kept'), place('/w/.codex', 'empty')];
  expect(permissionProfile([...plan, place('/home/u/.ssh', 'hidden')], ['/home/u/.codex/tmp'], true)).toEqual(
    {
      filesystem: {
        // what is missing Codex keeps so by itself
        ...{ ':root': 'read', '/w': 'write', '/w/.git': 'read' },
        ...{ '/home/u/.ssh': 'deny', '/home/u/.codex/tmp': 'read' },
      },
      network: { enabled: true },
    },
  );
});

test('a place in which something has to stay missing is not to be written, what lies deeper is', () => {
  const plan = [place('/tmp', 'write'), place('/tmp/u/.bashrc', 'empty'), place('/tmp/u/work', 'write')];
  expect(permissionProfile([...plan, place('/tmp/u/work/.git', 'empty')], [], false).filesystem).toEqual({
    ...{ ':root': 'read', '/tmp': 'read', '/tmp/u/work': 'write' },
  });
});

test('of a hidden directory that holds something visible all else is denied, piece by piece', async () => {
  for (const folder of ['tmp/arg0', 'skills', 'tscodex/workspaces/one', 'tscodex/other', 'sessions'])
    await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(dir, 'auth.json'), '{}');
  const plan = [place(dir, 'hidden'), place(join(dir, 'skills'), 'shown')];
  const own = [place(join(dir, 'tscodex'), 'hidden'), place(join(dir, 'tscodex/workspaces/one'), 'write')];
  const { filesystem } = permissionProfile([...plan, ...own], [join(dir, 'tmp')], false);
  expect(filesystem).toEqual({
    ':root': 'read',
    [join(dir, 'auth.json')]: 'deny',
    [join(dir, 'sessions')]: 'deny',
    [join(dir, 'skills')]: 'read',
    [join(dir, 'tmp')]: 'read',
    [join(dir, 'tscodex/other')]: 'deny',
    [join(dir, 'tscodex/workspaces/one')]: 'write',
  });
});

test('a program that lies among what is hidden shows nothing of that', async () => {
  await mkdir(join(dir, 'bin'));
  for (const name of ['auth.json', 'codex', 'bin/codex']) await writeFile(join(dir, name), '');
  const plan = [place(dir, 'hidden')];
  const profile = (program: string) =>
    permissionProfile(plan, [placeOfProgram(join(dir, program), plan)], false).filesystem;
  expect(profile('codex')).toEqual({
    ':root': 'read',
    [join(dir, 'auth.json')]: 'deny',
    [join(dir, 'bin')]: 'deny',
    [join(dir, 'codex')]: 'read',
  });
  // it may need what lies beside it
  expect(profile('bin/codex')).toEqual({
    ':root': 'read',
    [join(dir, 'auth.json')]: 'deny',
    [join(dir, 'codex')]: 'deny',
    [join(dir, 'bin')]: 'read',
  });
});
