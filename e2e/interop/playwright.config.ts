import { defineConfig } from '@playwright/test';

/** No browser here: the runner, the server and the scripted provider are those of the browser tests. */
export default defineConfig({
  testDir: '.',
  fullyParallel: true,
  workers: 2,
  retries: process.env.CI ? 1 : 0,
  // only for what hangs: each test starts half a dozen processes, on a machine that others may use
  timeout: 300_000,
});
