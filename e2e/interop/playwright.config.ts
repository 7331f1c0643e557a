import { defineConfig } from '@playwright/test';
import { chromium } from '../support/chromium.ts';

/** The runner, the server and the scripted provider are those of the browser tests; few of these have a browser. */
export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  workers: 3,
  retries: process.env.CI ? 1 : 0,
  // only for what hangs: each test starts half a dozen processes, on a machine that others may use
  timeout: 300_000,
  use: { launchOptions: chromium },
});
