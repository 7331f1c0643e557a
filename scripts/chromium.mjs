// Finds a Chromium for the browser tests, or gets one by what the machine offers.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { pnpm } from './pnpm.mjs';

const known = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];
const find = () => known.find((path) => path && existsSync(path));

/** @returns {string | null} the path of a Chromium; `playwright` for its own download; null when there is none */
export function chromium() {
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log('No Chromium found: installing it with apt-get.');
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit' });
    spawnSync('apt-get', ['install', '-y', '-qq', 'chromium'], { stdio: 'inherit' });
    if (find()) return find() ?? null;
  }
  console.log("No Chromium found: trying Playwright's download.");
  return pnpm('--filter', '@tscodex/e2e', 'exec', 'playwright', 'install', 'chromium') === 0
    ? 'playwright'
    : null;
}
