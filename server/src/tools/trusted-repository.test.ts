import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isTrustedRepository } from './trusted-repository.ts';

let base: string;
let work: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'tscodex-repository-')));
  work = join(base, 'work');
  mkdirSync(join(work, 'sub/deep'), { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true }));

const git = (dir: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: dir, stdio: 'pipe' });
const commit = (dir: string) => git(dir, 'commit', '-q', '--allow-empty', '-m', 'x');
const trusts = (dir: string, ...more: string[]) => isTrustedRepository(dir, [work, ...more]);

test('the workspace’s own, in whatever directory of it', async () => {
  git(work, 'init', '-q');
  expect(await trusts(work)).toBe(true);
  expect(await trusts(join(work, 'sub/deep'))).toBe(true);
});

test('one that lies around the workspace', async () => {
  git(base, 'init', '-q');
  expect(await trusts(join(work, 'sub'))).toBe(true);
});

test('none within it, and none that is only found in passing', async () => {
  git(work, 'init', '-q');
  git(join(work, 'sub'), 'init', '-q');
  expect(await trusts(join(work, 'sub/deep'))).toBe(false);
  // a session that works in a part of a workspace: others write that part’s .git
  expect(await trusts(join(work, 'sub'), join(work, 'sub'))).toBe(false);
});

test('none where there is none, nor one without files', async () => {
  expect(await trusts(work)).toBe(false);
  git(work, 'init', '-q');
  git(join(work, 'sub'), 'init', '-q', '--bare');
  expect(await trusts(join(work, 'sub/deep'))).toBe(false);
});

test('none whose settings were allowed to be written, or lie where they may be', async () => {
  git(work, 'init', '-q');
  expect(await trusts(work, join(work, '.git'))).toBe(false);
  expect(await trusts(work, base)).toBe(false);
  const other = join(base, 'other');
  mkdirSync(other);
  writeFileSync(join(other, '.git'), `gitdir: ${join(work, 'sub')}\n`);
  expect(await isTrustedRepository(other, [work, other])).toBe(false);
});

test('a worktree of one that is kept', async () => {
  const main = join(base, 'main');
  mkdirSync(main);
  git(main, 'init', '-q');
  commit(main);
  git(main, 'worktree', 'add', '-q', join(base, 'tree'));
  expect(await isTrustedRepository(join(base, 'tree'), [join(base, 'tree')])).toBe(true);
});

test.each<[string, (path: string) => void]>([
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
  ['a file that names none', (path) => writeFileSync(path, 'x')],
  ['a file longer than any path', (path) => writeFileSync(path, `gitdir: .\n${'x'.repeat(4096)}`)],
  [
    'a link to a file that names one in reach',
    (path) => {
      writeFileSync(join(base, 'named'), `gitdir: ${join(work, 'sub')}\n`);
      symlinkSync(join(base, 'named'), path);
    },
  ],
  ['a link that leads nowhere', (path) => symlinkSync('nowhere', path)],
])('%s in the place of .git is none', async (_what, put) => {
  put(join(work, '.git'));
  expect(await trusts(work)).toBe(false);
});

test('an empty .git, which only keeps the place while commands run, is passed over as git does', async () => {
  mkdirSync(join(work, '.git'));
  expect(await trusts(work)).toBe(false);
  git(base, 'init', '-q');
  expect(await trusts(work)).toBe(true);
});

test('none with submodules: those have settings among the files', async () => {
  git(work, 'init', '-q');
  git(join(work, 'sub'), 'init', '-q');
  commit(join(work, 'sub'));
  expect(await trusts(work)).toBe(true);
  git(work, 'add', 'sub');
  expect(await trusts(work)).toBe(false);
});
