// `npm run tour`: walks through what was built and takes the pictures of the README, into docs/tour/.
import { chromium } from './chromium.mjs';
import { pnpm, setup } from './pnpm.mjs';

const failed = setup();
if (failed) process.exit(failed);
const path = chromium();
if (!path) {
  console.error('No Chromium here and no way to get one; run: sudo apt-get install -y chromium');
  process.exit(1);
}
if (path !== 'playwright') process.env.CHROMIUM_PATH = path;
const tour = ['--config', 'tour/playwright.config.ts', '--reporter=list'];
process.exit(pnpm('--filter', '@tscodex/e2e', 'exec', 'playwright', 'test', ...tour));
