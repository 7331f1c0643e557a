import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { gitBranch } from './git-branch.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tscodex-branch-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const PERSON = ['-c', 'user.name=A', '-c', 'user.email=a@example.org', '-c', 'advice.detachedHead=false'];
const git = (...args: string[]) => execFileSync('git', [...PERSON, ...args], { cwd: dir, stdio: 'ignore' });

test('of a repository, a directory in it, a worktree, and on no branch', () => {
  expect(gitBranch(dir)).toBeNull();
  git('init', '-b', 'main');
  expect(gitBranch(dir)).toBe('main');
  git('commit', '--allow-empty', '-m', 'x');
  git('switch', '-c', 'feature/它');
  mkdirSync(join(dir, 'a', 'b'), { recursive: true });
  expect(gitBranch(join(dir, 'a', 'b'))).toBe('feature/它');
  git('worktree', 'add', '-b', 'other', 'tree');
  expect(gitBranch(join(dir, 'tree'))).toBe('other');
  git('checkout', '--detach');
  expect(gitBranch(dir)).toBeNull();
});

test('what only looks like a repository, and what would hold whoever reads it', () => {
  mkdirSync(join(dir, '.git'));
  expect(gitBranch(dir)).toBeNull();
  writeFileSync(join(dir, '.git', 'HEAD'), 'ref: refs/heads/two words\n');
  expect(gitBranch(dir)).toBeNull();
  rmSync(join(dir, '.git', 'HEAD'));
  execFileSync('mkfifo', [join(dir, '.git', 'HEAD')]);
  expect(gitBranch(dir)).toBeNull();
  rmSync(join(dir, '.git'), { recursive: true });
  writeFileSync(join(dir, '.git'), 'gitdir: nowhere\n');
  expect(gitBranch(dir)).toBeNull();
});
