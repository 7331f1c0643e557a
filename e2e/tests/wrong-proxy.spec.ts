/** Q50: whoever sits behind a proxy that is set up wrong is told which setting it is. */
import { expect, type Locator, type Page } from '@playwright/test';
import { test as base } from '../support/browser-stage.ts';
import { HoldingProxy } from '../support/holding-proxy.ts';
import type { RunningServer } from '../support/server.ts';
import { PREFIX, WebServer } from '../support/web-server.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

type Fixtures = {
  /** The server behind nginx with our example, spoilt. */
  behind: (change: (example: string) => string) => Promise<{ web: WebServer; server: RunningServer }>;
};

const test = base.extend<Fixtures>({
  behind: async ({ start }, use) => {
    const started: WebServer[] = [];
    await use(async (change) => {
      const server = await start('--base-path', PREFIX, '--trust-proxy');
      const web = await WebServer.start('nginx', Number(new URL(server.url).port), change);
      started.push(web);
      return { web, server };
    });
    for (const web of started) await web.stop();
  },
});

/** What the page says of its connection. */
const said = (page: Page): Locator => page.locator('[data-lost]').getByRole('paragraph');
const without = (line: RegExp) => (example: string) => {
  expect(example).toMatch(line);
  return example.replace(line, '');
};

const HOST = /^ *proxy_set_header Host .*\n/m;

test('a proxy that drops Host: the login page names what came and the setting', async ({ page, behind }) => {
  const { web, server } = await behind(without(HOST));
  await page.goto(`${web.url}/login#token=${server.token}`);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('proxy_set_header Host $http_host');
  await expect(alert).toContainText('--public-url URL');
  // what the browser is at, and what nginx says by itself
  await expect(alert).toContainText(new URL(web.url).host);
  await expect(alert).toContainText(`Host "${new URL(server.url).host}"`);
});

test('a proxy that makes up a Host: the first page says so', async ({ page, behind }) => {
  const { web } = await behind((example) => example.replace('Host $http_host', 'Host tscodex_upstream'));
  const answer = await page.goto(web.url);
  expect(answer?.status()).toBe(403);
  const text = page.getByRole('paragraph');
  await expect(text).toContainText('Host "tscodex_upstream"');
  await expect(text).toContainText('--allowed-host NAME');
  await expect(text).toContainText('proxy_set_header Host $http_host');
});

test('a declared public URL makes up for a dropped Host', async ({ page, start }) => {
  // the port is known only once nginx runs
  const first = await start();
  const web = await WebServer.start('nginx', Number(new URL(first.url).port), without(HOST));
  try {
    const listen = new URL(first.url).host;
    await first.kill('SIGTERM');
    const server = await start('--listen', listen, '--public-url', `${web.url}/`);
    await page.goto(`${web.url}/login?next=%2Fw%2Fdemo%2F#token=${server.token}`);
    const view = new WorkspaceView(page);
    await view.send('hello');
    await expect(view.conversation).toContainText('OK.');
  } finally {
    await web.stop();
  }
});

test('a proxy that drops Host for the live connection alone: the page says so', async ({ page, behind }) => {
  const { web, server } = await behind((example) => {
    const block = /location \/a\/b\/ \{[\s\S]*?\n\}/.exec(example)?.[0] ?? '';
    return `${example}\n${block.replace('location /a/b/', 'location /a/b/api/socket').replace(HOST, '')}`;
  });
  await page.goto(`${web.url}/login?next=%2Fw%2Fdemo%2F#token=${server.token}`);
  await expect(said(page)).toContainText('proxy_set_header Host $http_host');
  await expect(said(page)).toContainText(`Host "${new URL(server.url).host}"`);
});

test('a proxy that passes no WebSockets on: the page names the headers', async ({ page, behind }) => {
  const { web, server } = await behind(without(/^ *proxy_set_header (Upgrade|Connection) .*\n/gm));
  await page.goto(`${web.url}/login?next=%2Fw%2Fdemo%2F#token=${server.token}`);
  await expect(said(page)).toContainText('proxy_set_header Upgrade $http_upgrade');
});

test('a proxy that buffers: the page says that nothing arrives, until something does', async ({
  page,
  server,
}) => {
  test.slow();
  const proxy = await HoldingProxy.start(server);
  try {
    await page.goto(proxy.loginUrl.replace('login#', 'login?next=%2Fw%2Fdemo%2F#'));
    // two connections are given ten seconds each
    await expect(said(page)).toContainText('proxy_buffering off', { timeout: 120_000 });
    proxy.mend();
    await expect(new WorkspaceView(page).status).toHaveText('idle');
    await expect(said(page)).toHaveCount(0);
  } finally {
    await proxy.stop();
  }
});

test('a proxy that cuts quiet connections: the page names the time and the setting', async ({
  page,
  behind,
}) => {
  test.slow();
  const { web, server } = await behind((example) =>
    example.replace('proxy_read_timeout 1h', 'proxy_read_timeout 3s'),
  );
  await page.goto(`${web.url}/login?next=%2Fw%2Fdemo%2F#token=${server.token}`);
  const view = new WorkspaceView(page);
  // three cuts, and the pauses before the new tries
  await expect(said(page)).toContainText(/quiet for [345] seconds.*proxy_read_timeout 1h/, {
    timeout: 120_000,
  });
  // it goes on, and does not insist
  await view.send('hello');
  await expect(view.conversation).toContainText('OK.');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(said(page)).toHaveCount(0);
});
