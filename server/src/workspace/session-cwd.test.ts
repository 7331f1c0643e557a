import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionCwd } from './session-cwd.ts';

let root: string;
let dir: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'tscodex-cwd-')));
  dir = join(root, 'work');
  await mkdir(join(dir, 'src', 'deep'), { recursive: true });
  await mkdir(join(root, 'work-beside'));
  await writeFile(join(dir, 'file.txt'), '');
  await symlink(join(root, 'work-beside'), join(dir, 'way-out'));
  await symlink(join(dir, 'src'), join(dir, 'way-in'));
});
afterEach(() => rm(root, { recursive: true }));

test.each([
  [undefined, ''],
  ['.', ''],
  ['src/deep', 'src/deep'],
  [' src/../src/ ', 'src'],
  ['way-in/deep', 'src/deep'],
])('%j is inside', async (asked, below) => {
  expect(await sessionCwd(dir, asked)).toBe(join(dir, below));
});

test('an absolute path is taken as well', async () => {
  expect(await sessionCwd(dir, join(dir, 'src'))).toBe(join(dir, 'src'));
});

test.each(['..', '../work-beside', '/', 'way-out', '~', '/does/not/exist'])(
  '%j is outside',
  async (asked) => {
    await expect(sessionCwd(dir, asked)).rejects.toMatchObject({
      kind: 'invalid',
      code: 'session.cwd-outside',
      message: expect.stringContaining(`choose ${dir} or a directory below it`),
    });
  },
);

test.each(['nowhere', 'file.txt', 'src\0'])('%j is no directory', async (asked) => {
  await expect(sessionCwd(dir, asked)).rejects.toMatchObject({
    kind: 'invalid',
    code: 'session.cwd-missing',
    message: expect.stringContaining(join(dir, asked)),
  });
});
