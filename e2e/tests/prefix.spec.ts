/** O-F6: behind a path prefix, whoever takes it away, nothing is asked for outside of it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { PrefixProxy } from '../support/prefix-proxy.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const prefix = '/x/agent';

const cases = [
  { name: 'a proxy that strips the prefix, server without a base path', strips: true, args: [] },
  { name: 'a proxy that strips it, server with a base path', strips: true, args: ['--base-path', prefix] },
  { name: 'a proxy that leaves it, server with a base path', strips: false, args: ['--base-path', prefix] },
];

for (const { name, strips, args } of cases)
  test(name, async ({ page, box, start, model }) => {
    await writeFile(join(box.workDir, 'board.html'), '<h1>Below a prefix</h1><img src="dot.svg">');
    const server = await start(...args);
    const proxy = await PrefixProxy.start(server, { prefix, strips });
    const failed: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    try {
      // without the slash, and asked to log in
      await page.goto(proxy.url);
      await expect(page).toHaveURL(new RegExp(`^${proxy.url}/login`));
      const password = page.getByRole('textbox', { name: 'Password' });
      await expect(password).toBeFocused();
      await password.fill(server.token);
      await password.press('Enter');
      await expect(page).toHaveURL(`${proxy.url}/`);

      // API, WebSocket, chunks and fonts
      await page.getByRole('link', { name: 'demo' }).click();
      await page.getByRole('button', { name: 'New session' }).click();
      const view = new WorkspaceView(page);
      model.answer([{ text: 'It is $x^2$, see [the list](w/demo/).\n\n```js\nlet a = 1;\n```' }]);
      await view.send('what is it?');
      await expect(view.conversation.locator('.katex')).toBeVisible();
      // a worker and the grammar it fetches
      await expect(view.conversation.locator('pre code span').first()).toBeVisible();
      await expect(view.status).toHaveText('idle');
      expect(
        await page.evaluate(() => document.fonts.ready.then(() => document.fonts.check('16px KaTeX_Main'))),
      ).toBe(true);

      // a deep page, reloaded, and its shorter name
      await expect(page).toHaveURL(new RegExp(`^${proxy.url}/w/demo/\\?session=`));
      const place = page.url();
      await page.reload();
      await expect(view.conversation.locator('.katex')).toBeVisible();
      await expect(view.status).toHaveText('idle');
      await page.goto(place.replace('/w/demo/?', '/w/demo?'));
      await expect(page).toHaveURL(place);
      await expect(view.conversation.locator('.katex')).toBeVisible();

      // a relative link in a message leads to where the page would
      const link = view.conversation.getByRole('link', { name: 'the list' });
      expect(await link.evaluate((element: HTMLAnchorElement) => element.href)).toBe(`${proxy.url}/w/demo/`);

      // the login goes with the prefix, and ends there
      const cookies = await page.context().cookies(proxy.url);
      expect(cookies.map(({ path }) => path)).toEqual(cookies.map(() => (args.length > 0 ? prefix : '/')));
      await page.goto(`${proxy.url}/`);
      await page.getByRole('button', { name: 'You', exact: true }).click();
      await page.getByRole('button', { name: 'Log out' }).click();
      await expect(password).toBeVisible();
      await page.goto(place);
      await expect(page).toHaveURL(
        `${proxy.url}/login?next=${encodeURIComponent(place.slice(proxy.url.length))}`,
      );

      expect(proxy.strays).toEqual([]);
      expect(proxy.asked.some((url) => url.startsWith(`${prefix}/api/socket`))).toBe(true);
      expect(proxy.asked.some((url) => /\/assets\/typeset-.*\.js/.test(url))).toBe(true);
      expect(proxy.asked.some((url) => /\/assets\/KaTeX_Main-.*\.woff2/.test(url))).toBe(true);
      // what a stranger is told, and a page whose login has just ended
      expect(failed.filter((line) => !/^401 .*\/api\/(me|workspaces|socket)/.test(line))).toEqual([]);
    } finally {
      await proxy.stop();
    }
  });

test('a base path in place and no proxy: the printed link works', async ({ page, start }) => {
  const server = await start('--base-path', prefix);
  expect(new URL(server.loginUrl).pathname).toBe(`${prefix}/login`);
  const view = await WorkspaceView.open(page, server);
  await view.send('hello');
  await expect(view.conversation).toContainText('OK.');
});
