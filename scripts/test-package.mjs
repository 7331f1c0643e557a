// Installs and runs the tarball with several versions of Node: `node scripts/test-package.mjs [20 22 24]`.
// `npm test` does the same with the Node that runs it.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pnpm, setup } from './pnpm.mjs';

const versions = process.argv.length > 2 ? process.argv.slice(2) : ['20', '22', '24'];
const dir = mkdtempSync(join(tmpdir(), 'tscodex-nodes-'));
const outcome = new Map();

if (setup() !== 0) process.exit(1);
for (const version of versions) {
  const place = join(dir, version);
  const got = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--prefix', place, `node@${version}`], {
    stdio: 'inherit',
  });
  process.env.TSCODEX_TEST_NODE = join(place, 'node_modules/node/bin/node');
  const test = [
    '--filter',
    '@tscodex/e2e',
    'exec',
    'playwright',
    'test',
    'package.spec.ts',
    '--reporter=list',
  ];
  const passed = got.status === 0 && pnpm(...test) === 0;
  const { stdout } = spawnSync(process.env.TSCODEX_TEST_NODE, ['--version'], { encoding: 'utf8' });
  outcome.set(stdout?.trim() || `node@${version}`, passed ? 'passed' : 'failed');
}
rmSync(dir, { recursive: true, force: true });
for (const [version, word] of outcome) console.log(`${version}: ${word}`);
process.exit([...outcome.values()].includes('failed') ? 1 : 0);
