import { expect, test } from 'vitest';
import { isAboutGit, workspaceRunner } from './workspace-code.ts';

test.each([
  [['npm', 'run', 'dev'], 'npm run'],
  [['/usr/bin/make', '-j4'], 'make'],
  [['pytest'], 'pytest'],
  [['npx'], 'npx'],
  [['eslint', '.'], 'eslint .'],
  [['./build.sh', 'all'], './build.sh'],
  [['scripts/deploy'], 'scripts/deploy'],
  [['gh', 'pr', 'view'], null],
  [['/usr/bin/touch'], null],
  [[], null],
])('%j', (words, runner) => {
  expect(workspaceRunner(words)).toBe(runner);
});

test.each([
  [['git', 'commit', '-m', 'x'], true],
  [['/usr/bin/git'], true],
  [['gitk'], false],
  [[], false],
])('%j is about git: %s', (words, isGit) => {
  expect(isAboutGit(words)).toBe(isGit);
});
