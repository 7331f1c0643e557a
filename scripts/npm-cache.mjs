// What the interoperability tests run of others: installed once from npm, outside of the tree.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tscodex-test');

/**
 * @param {string} name of the cached directory
 * @param {string} spec what npm installs
 * @param {string} file what is wanted of it, below the cached directory
 * @param {string[]} flags for npm
 * @returns {string | null} the path of the file; null, with the reason printed, where it cannot be had
 */
export function fromNpm(name, spec, file, flags = []) {
  const home = join(cache, name);
  const wanted = join(home, file);
  const reason = existsSync(wanted) ? null : install(home, spec, wanted, flags);
  if (reason === null) return wanted;
  console.error(`No ${spec} here: ${reason}`);
  return null;
}

/** @returns {string | null} why not */
function install(home, spec, wanted, flags) {
  console.log(`Installing ${spec} into ${home}.`);
  const fresh = `${home}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--fetch-retries=1',
      ...flags,
      '--prefix',
      fresh,
      spec,
    ];
    const npm = spawnSync('npm', args, { encoding: 'utf8' });
    if (npm.status !== 0)
      return `npm install failed: ${(npm.stderr || String(npm.error)).trim().slice(0, 500)}`;
    rmSync(home, { recursive: true, force: true });
    renameSync(fresh, home);
    return existsSync(wanted) ? null : `npm installed it without ${wanted}`;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
