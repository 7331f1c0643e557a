/** For tests in a browser: a box, a server on it, a scripted provider behind it, and a page that must not throw. */
import { expect } from '@playwright/test';
import { Box, type RunningServer } from './server.ts';
import { test as stage } from './stage.ts';

/** Nothing asks first and nothing is confined: for tests that are not about approvals. */
export const FULL_ACCESS = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';

type Options = {
  /** Whether the model is configured; without one there is the demo. */
  configured: boolean;
  /** The beginning of config.toml. */
  toml: string;
  /** Whether the machine confines commands; else each asks first. */
  confined: boolean;
};

type Fixtures = {
  box: Box;
  /** Starts the server on the box, and ends it after the test. */
  start: (...args: string[]) => Promise<RunningServer>;
  server: RunningServer;
  quietPage: undefined;
};

export const test = stage.extend<Options & Fixtures>({
  configured: [true, { option: true }],
  toml: ['', { option: true }],
  confined: [false, { option: true }],

  box: async ({ model, configured, toml, confined }, use) => {
    const box = await Box.make({ toml, confined, ...(configured ? { modelUrl: model.url } : {}) });
    await use(box);
    await box.remove();
  },

  start: async ({ box }, use) => {
    const started: RunningServer[] = [];
    await use(async (...args) => {
      const server = await box.start(args);
      started.push(server);
      return server;
    });
    await Promise.all(started.map((server) => server.kill()));
  },

  server: async ({ start }, use) => {
    await use(await start());
  },

  quietPage: [
    async ({ page }, use) => {
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      await use(undefined);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});
