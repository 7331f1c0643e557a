import { chmod, link, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileAtPath } from '../base/file-at-path.ts';
import type { Owner } from '../exec/sandbox/owner.ts';
import { readsOf } from './session-reads.ts';

let dir: string;
beforeEach(async () => {
  dir = await realpath(await mkdtemp(join(tmpdir(), 'tscodex-reads-')));
  await chmod(dir, 0o755);
  await mkdir(join(dir, 'hidden'));
  await mkdir(join(dir, 'closed'), { mode: 0o700 });
  for (const name of ['open', 'own', 'hidden/key', 'closed/open']) await writeFile(join(dir, name), name);
  await chmod(join(dir, 'own'), 0o600);
});
afterEach(() => rm(dir, { recursive: true }));

/** Somebody without an account, whom files made here do not belong to. */
const stranger: Owner = { uid: 54_321, gid: 54_321, groups: [54_321], name: null, home: '/' };

/** Those that commands of the owner can read. */
function readable(owner: Owner | null | Error, ...names: string[]) {
  const concealing = (path: string) => path.startsWith(join(dir, 'hidden'));
  const of = () => {
    if (owner instanceof Error) throw owner;
    return owner;
  };
  const mayRead = readsOf(dir, { concealing }, { of });
  return names.filter((name) => {
    using place = FileAtPath.find(name.startsWith('/') ? name : join(dir, name));
    return place && mayRead(place.found);
  });
}

const ALL = ['open', 'own', 'hidden/key', 'closed/open'];

test('whoever runs this server reads what is not hidden from commands', () => {
  expect(readable(null, ...ALL)).toEqual(['open', 'own', 'closed/open']);
});

test('for another user no file is read that this one could not read', () => {
  expect(readable(stranger, ...ALL)).toEqual(['open']);
});

test('by another name it is the same file', async () => {
  await link(join(dir, 'own'), join(dir, 'AGENTS.md'));
  expect(readable(stranger, 'AGENTS.md')).toEqual([]);
});

test('the group of a file counts where the user is in it', async () => {
  const { stats } = FileAtPath.find(join(dir, 'own'))?.found ?? expect.fail();
  await chmod(join(dir, 'own'), 0o640);
  expect(readable({ ...stranger, groups: [stats.gid] }, 'own')).toEqual(['own']);
  // who is in a group that may not read is not one of the others
  await chmod(join(dir, 'own'), 0o604);
  expect(readable({ ...stranger, groups: [stats.gid] }, 'own')).toEqual([]);
});

test('what processes and devices show is nobody’s', () => {
  expect(readable(null, '/proc/self/environ', '/dev/null', '/sys/kernel')).toEqual([]);
});

test('where nothing can run nothing is read', () => {
  expect(readable(new Error('its directory is gone'), ...ALL)).toEqual([]);
});
