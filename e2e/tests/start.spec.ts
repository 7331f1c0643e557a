import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { expect, test } from '@playwright/test';

const bin = createRequire(import.meta.url).resolve('tscodex/dist/tscodex-ws.js');

test('the built command starts', () => {
  const run = spawnSync(process.execPath, [bin, '--version'], { encoding: 'utf8' });
  expect(run.status).toBe(0);
});
