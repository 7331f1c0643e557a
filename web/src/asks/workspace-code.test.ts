import { expect, test } from 'vitest';
import { workspaceRunner } from './workspace-code.ts';

test.each([
  [['npm', 'run', 'dev'], 'npm run'],
  [['/usr/bin/make', '-j4'], 'make'],
  [['pytest'], 'pytest'],
  [['./build.sh', 'all'], './build.sh'],
  [['scripts/deploy'], 'scripts/deploy'],
  [['gh', 'pr', 'view'], null],
  [['/usr/bin/touch'], null],
  [[], null],
])('%j', (words, runner) => {
  expect(workspaceRunner(words)).toBe(runner);
});
