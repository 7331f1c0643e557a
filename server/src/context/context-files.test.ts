import { rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FileAtPath } from '../base/file-at-path.ts';
import { ContextFiles } from './context-files.ts';
import { type ContextScene, openContextScene } from './context-scene.test-support.ts';

let scene: ContextScene;
beforeEach(async () => {
  scene = await openContextScene();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await scene.remove();
});

const textOf = async (files: ContextFiles, path: string, limit = 100) => {
  const read = await files.read(path, limit);
  return read && 'file' in read ? read.file.text : read;
};

test('what has not changed is read once, and again where it has, or could have without a trace', async () => {
  const path = await scene.write('a.md', 'one');
  const reads = vi.spyOn(FileAtPath.prototype, 'read');
  const files = new ContextFiles(() => true);
  expect([await textOf(files, path), await textOf(files, path)]).toEqual(['one', 'one']);
  // both within the time in which a second change may leave the same times
  expect(reads).toHaveBeenCalledTimes(2);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
  expect([await textOf(files, path), await textOf(files, path)]).toEqual(['one', 'one']);
  expect(reads).toHaveBeenCalledTimes(3);
  await writeFile(path, 'two');
  // whoever sets the time back changes the inode all the same
  await utimes(path, new Date(0), new Date(0));
  expect(await textOf(files, path)).toBe('two');
  expect(await textOf(files, path, 2)).toBe('tw');
});

test('another file in its place is another file', async () => {
  const path = await scene.write('a.md', 'one');
  const files = new ContextFiles(() => true);
  await textOf(files, path);
  await rename(await scene.write('b.md', 'two'), path);
  expect(await textOf(files, path)).toBe('two');
});

test('what was asked about is what is read, whatever is put in its place meanwhile', async () => {
  const path = await scene.write('a.md', 'asked about');
  const secret = await scene.write('secret', 'SECRET');
  using place = FileAtPath.find(path);
  expect(place?.found.path).toBe(path);
  await symlink(secret, join(scene.dir, 'link'));
  await rename(join(scene.dir, 'link'), path);
  expect(`${await place?.read(100)}`).toBe('asked about');
});

test('nothing is there, also below a file', async () => {
  const files = new ContextFiles(() => true);
  const path = await scene.write('a.md', 'one');
  expect([await files.read(join(scene.dir, 'b.md'), 9), await files.read(join(path, 'b.md'), 9)]).toEqual([
    null,
    null,
  ]);
});
