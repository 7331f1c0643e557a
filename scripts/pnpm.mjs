// Runs the pnpm pinned in package.json ("packageManager") through npx, so that plain npm is all one needs.
//   node scripts/pnpm.mjs setup     installs with the lock, then builds
//   node scripts/pnpm.mjs ARGS...   any other pnpm command
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const pin = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).packageManager.split('+')[0];

/** @param {string[]} args @returns {number} the exit code */
export function pnpm(...args) {
  const run = spawnSync('npx', ['--yes', '--package', pin, '--', 'pnpm', ...args], {
    stdio: 'inherit',
    cwd: root,
    env: { ...process.env, CI: 'true' },
  });
  return run.status ?? 1;
}

export function setup() {
  return pnpm('install', '--frozen-lockfile') || pnpm('run', 'build');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  process.exit(args[0] === 'setup' ? setup() : pnpm(...args));
}
