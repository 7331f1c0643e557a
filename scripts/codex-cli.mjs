// The Codex CLI that the interoperability tests run: installed once from npm, outside of the tree.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const VERSION = '0.171.0';
const TRIPLES = { x64: 'x86_64-unknown-linux-musl', arm64: 'aarch64-unknown-linux-musl' };

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tscodex-test');
const home = join(cache, `codex-${VERSION}`);

/** npm's wrapper is left out: it would outlive a test that ends it. */
const program = join(
  ...[home, 'node_modules', '@openai', `codex-linux-${process.arch}`],
  ...['vendor', TRIPLES[process.arch] ?? '', 'bin', 'codex'],
);

/** @returns {string | null} the path of the native program; null, with the reason printed, where it cannot be had */
export function codexCli() {
  const reason = existsSync(program) ? null : install();
  if (reason === null) return program;
  console.error(`No Codex CLI ${VERSION} here: ${reason}`);
  return null;
}

/** @returns {string | null} why not */
function install() {
  if (process.platform !== 'linux' || !(process.arch in TRIPLES))
    return `its program for ${process.platform} on ${process.arch} is not known here.`;
  console.log(`Installing @openai/codex@${VERSION} into ${home}.`);
  const fresh = `${home}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    const flags = ['--no-audit', '--no-fund', '--fetch-retries=1', '--prefix', fresh];
    const npm = spawnSync('npm', ['install', ...flags, `@openai/codex@${VERSION}`], { encoding: 'utf8' });
    if (npm.status !== 0)
      return `npm install failed: ${(npm.stderr || String(npm.error)).trim().slice(0, 500)}`;
    rmSync(home, { recursive: true, force: true });
    renameSync(fresh, home);
    return existsSync(program) ? null : `npm installed it without ${program}`;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
