import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { patchDisk, writeChanges } from './patch-disk.ts';
import type { PlannedChange } from './patch-plan.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'patch-disk-')));
});
afterEach(() => rm(root, { recursive: true }));

const at = (path: string) => join(root, path);
const put = (path: string, content: string, mode = 0o644) => writeFile(at(path), content, { mode });
const text = (path: string) => readFile(at(path), 'utf8');
const bytes = (content: string | null) => (content === null ? null : Buffer.from(content));

function change(
  kind: PlannedChange['kind'],
  path: string,
  before: string | null,
  after: string | null,
  to?: string,
) {
  const planned = { kind, name: path, path: at(path), before: bytes(before), after: bytes(after), diff: '' };
  return to === undefined ? planned : { ...planned, movedTo: at(to) };
}

test('adds, updates, moves and deletes; folders are created, modes kept, nothing else is left', async () => {
  await put('run.sh', 'old', 0o755);
  await put('from', 'moved', 0o600);
  await put('gone', 'x');
  await writeChanges([
    change('add', 'new/deep/f', null, 'f'),
    change('update', 'run.sh', 'old', 'new'),
    change('move', 'from', 'moved', 'moved!', 'sub/to'),
    change('delete', 'gone', 'x', null),
  ]);
  expect(await readdir(root, { recursive: true })).toEqual(
    expect.arrayContaining(['new', 'new/deep', 'new/deep/f', 'run.sh', 'sub', 'sub/to']),
  );
  expect(await readdir(root)).toHaveLength(3);
  expect([await text('new/deep/f'), await text('run.sh'), await text('sub/to')]).toEqual([
    'f',
    'new',
    'moved!',
  ]);
  expect((await stat(at('run.sh'))).mode & 0o777).toBe(0o755);
  expect((await stat(at('sub/to'))).mode & 0o777).toBe(0o600);
});

test('a later failure puts everything back', async () => {
  await put('a', 'one', 0o700);
  await put('from', 'moved');
  await mkdir(at('folder/inside'), { recursive: true });
  const before = await readdir(root, { recursive: true });
  const changes = [
    change('update', 'a', 'one', 'ONE'),
    change('add', 'new/deep/b', null, 'b'),
    change('move', 'from', 'moved', 'moved!', 'to'),
    // a folder that stands where a file is to go cannot be replaced
    change('add', 'folder', null, 'x'),
  ];
  await expect(writeChanges(changes)).rejects.toMatchObject({
    code: 'patch.write',
    message: expect.stringMatching(/^cannot be written: /),
  });
  expect(await readdir(root, { recursive: true })).toEqual(before);
  expect([await text('a'), await text('from')]).toEqual(['one', 'moved']);
  expect((await stat(at('a'))).mode & 0o777).toBe(0o700);
});

test('a file that cannot be deleted puts the deleted ones back', async () => {
  await put('a', 'one', 0o600);
  await mkdir(at('folder'));
  await expect(
    writeChanges([change('delete', 'a', 'one', null), change('delete', 'folder', '', null)]),
  ).rejects.toMatchObject({ code: 'patch.write' });
  expect(await text('a')).toBe('one');
  expect((await stat(at('a'))).mode & 0o777).toBe(0o600);
});

test('links are followed, also above what does not exist yet', async () => {
  await mkdir(at('real'));
  await put('real/f', 'x');
  await symlink(at('real'), at('link'));
  await symlink(at('real/f'), at('alias'));
  await symlink(at('nothing'), at('dangling'));
  expect(await patchDisk.realPath(at('link/new/g'))).toBe(at('real/new/g'));
  expect(await patchDisk.realPath(at('alias'))).toBe(at('real/f'));
  expect(await patchDisk.folder(at('link'))).toBe(at('real'));
  await expect(patchDisk.realPath(at('dangling'))).rejects.toThrow('it is a symbolic link to nothing');
});

test('what is no regular file is refused with the reason', async () => {
  await put('f', 'x');
  expect(await patchDisk.read(at('nothing'))).toBeNull();
  await expect(patchDisk.read(root)).rejects.toThrow(`${root}: it is a folder`);
  await expect(patchDisk.read('/dev/null')).rejects.toThrow('/dev/null: it is not a regular file');
  await expect(patchDisk.realPath(at('f/g'))).rejects.toThrow('a part of the path is a file');
  await expect(patchDisk.folder(at('nothing'))).rejects.toThrow('there is no such folder');
  await expect(patchDisk.folder(at('f'))).rejects.toThrow('there is no such folder');
  await writeFile(at('large'), Buffer.alloc(8 * 1024 * 1024 + 1));
  await expect(patchDisk.read(at('large'))).rejects.toThrow('it is larger than 8 MiB');
});
