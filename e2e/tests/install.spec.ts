/** The page installs as an app of its own, wherever it lies, before anybody has logged in. */
import { expect, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { PrefixProxy } from '../support/prefix-proxy.ts';

type Manifest = { start_url: string; scope: string; icons: { src: string; sizes: string; type: string }[] };

/** What the browser has against installing the page; not installed, because a headless one has no launcher. */
async function obstacles(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { errors } = await devtools.send('Page.getAppManifest');
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  return [
    ...errors.map(({ message }) => message),
    ...installabilityErrors.map(({ errorId }) => errorId),
  ].filter(
    // the tests' windows are all private ones
    (id) => id !== 'in-incognito',
  );
}

async function checkInstallable(page: Page, root: string): Promise<void> {
  await page.goto(`${root}login`);
  await page.getByRole('textbox', { name: 'Password' }).waitFor();
  expect(await obstacles(page)).toEqual([]);

  const link = page.locator('link[rel=manifest]');
  const place = await link.evaluate((element: HTMLLinkElement) => element.href);
  expect(place).toBe(`${root}manifest.webmanifest`);
  const answer = await page.request.get(place);
  expect(answer.headers()['content-type']).toBe('application/manifest+json');
  const manifest = (await answer.json()) as Manifest;
  expect(new URL(manifest.start_url, place).href).toBe(root);
  expect(new URL(manifest.scope, place).href).toBe(root);

  for (const { src, sizes, type } of manifest.icons) {
    const icon = await page.request.get(new URL(src, place).href);
    expect([src, icon.headers()['content-type']]).toEqual([src, type]);
    if (type !== 'image/png') continue;
    const png = await icon.body();
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  }
}

test('the page is installable, without a login', async ({ page, server }) => {
  await checkInstallable(page, server.url);
  const touch = page.locator('link[rel=apple-touch-icon]');
  const icon = await page.request.get(await touch.evaluate((element: HTMLLinkElement) => element.href));
  expect((await icon.body()).readUInt32BE(16)).toBe(180);
});

test('the browser’s bar has the page’s colour in both schemes', async ({ page, server }) => {
  await page.goto(`${server.url}login`);
  await page.getByRole('textbox', { name: 'Password' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const [bar, ground] = await page.evaluate(() => {
      const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
      const probe = document.body.appendChild(document.createElement('i'));
      probe.style.color = metas.find(({ media }) => matchMedia(media).matches)?.content ?? '';
      return [getComputedStyle(probe).color, getComputedStyle(document.body).backgroundColor];
    });
    expect(bar).toBe(ground);
  }
});

for (const strips of [true, false])
  test(`the page is installable below a prefix that ${strips ? 'is taken off' : 'stays'}`, async ({
    page,
    start,
  }) => {
    const server = await start(...(strips ? [] : ['--base-path', '/a/b']));
    const proxy = await PrefixProxy.start(server, { prefix: '/a/b', strips });
    await checkInstallable(page, `${proxy.url}/`);
    expect(proxy.strays).toEqual([]);
    await proxy.stop();
  });
