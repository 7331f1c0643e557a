/** The board is the agents' page: it may do as it likes within its frame, and nothing beyond. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test as base } from '../support/browser-stage.ts';
import { Listener } from '../support/listener.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const test = base.extend<{ elsewhere: Listener; writeBoard: (html: string) => Promise<void> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names a fixture needs from here
  elsewhere: async ({}, use) => {
    const elsewhere = await Listener.start();
    await use(elsewhere);
    await elsewhere.stop();
  },
  writeBoard: async ({ box }, use) => {
    const directory = join(box.workDir, '.tscodex');
    await mkdir(directory, { recursive: true });
    await writeFile(
      join(directory, 'dot.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    );
    await use((html) => writeFile(join(directory, 'demo.html'), html));
  },
});

test('a script that wants out gets nothing, and its own page works', async ({
  page,
  start,
  elsewhere,
  writeBoard,
}) => {
  const html = await readFile(new URL('../support/hostile-board.html', import.meta.url), 'utf8');
  await writeBoard(html.replaceAll('ELSEWHERE', elsewhere.host));
  const server = await start('--log-level', 'debug');
  const view = await WorkspaceView.open(page, server, await server.newSession());
  const address = page.url();
  const { boardPage } = view;
  await expect(boardPage.getByText('All tried.')).toBeVisible();

  const outcomes = await boardPage.getByRole('listitem').allTextContents();
  expect(outcomes.length).toBeGreaterThan(15);
  expect(outcomes.filter((line) => !line.endsWith(': nothing'))).toEqual([]);
  expect(elsewhere.heard).toEqual([]);
  expect(page.url()).toBe(address);
  expect(page.context().pages()).toHaveLength(1);
  await expect(view.message).toBeEnabled();
  expect(requests(server.stderr).filter((line) => /api\/(workspaces|logout) |socket 4/.test(line))).toEqual(
    [],
  );

  await expect(boardPage.getByRole('heading')).toHaveCSS('color', 'rgb(1, 2, 3)');
  expect(await boardPage.locator('#own').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(9);
});

test('a script that takes the focus does not get what is typed elsewhere', async ({
  page,
  server,
  writeBoard,
}) => {
  await writeBoard(
    `<input aria-label="Trap"><script>setInterval(() => { focus(); document.querySelector('input').focus(); }, 300)</script>`,
  );
  const view = await WorkspaceView.open(page, server, await server.newSession());
  const trap = view.boardPage.getByRole('textbox', { name: 'Trap' });
  await expect(trap).toBeVisible();
  const words = 'a message that takes a while to write';
  await view.message.click();
  await view.message.pressSequentially(words, { delay: 50 });
  await expect(view.message).toBeFocused();
  // the key pressed between the taking and the giving back is lost, now and then
  expect((await view.message.inputValue()).length).toBeGreaterThan(words.length / 2);

  // who goes there by themselves, from something else than a text, gets in
  await page.getByRole('button', { name: 'Reload the board' }).focus();
  await trap.click();
  await page.keyboard.type('mine');
  await expect(trap).toHaveValue(/mine$/);
});

/** Method, path and status of what the server answered. */
function requests(log: string): string[] {
  return log.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const { method, path, status } = JSON.parse(line) as Record<string, unknown>;
    return path === undefined ? [] : [`${method} ${path} ${status}`];
  });
}

/** Where a frame is that was not let go where it wanted. */
const REFUSED = 'chrome-error://chromewebdata/';
const boardAddress = (page: Page) => page.frames().at(1)?.url();

const waysOut = {
  'location =': (url: string) => `<script>location = '${url}'</script>`,
  'a link': (url: string) => `<a href="${url}">out</a><script>document.links[0].click()</script>`,
  'a refresh': (url: string) => `<meta http-equiv="refresh" content="0; url=${url}">`,
};
for (const [way, html] of Object.entries(waysOut))
  test(`the frame cannot go elsewhere by ${way}`, async ({ page, server, elsewhere, writeBoard }) => {
    await writeBoard(html(`http://${elsewhere.host}/?secret`));
    const view = await WorkspaceView.open(page, server);
    const address = page.url();
    await expect.poll(() => boardAddress(page)).toBe(REFUSED);
    expect(elsewhere.heard).toEqual([]);
    expect(page.url()).toBe(address);

    await writeBoard('<h1>Back again</h1>');
    await expect(view.boardPage.getByRole('heading', { name: 'Back again' })).toBeVisible();
  });

test('the frame cannot show the page inside itself', async ({ page, server, writeBoard }) => {
  await writeBoard(`<script>location = '${new URL('w/demo/', server.url).pathname}'</script>`);
  const view = await WorkspaceView.open(page, server);
  await expect.poll(() => boardAddress(page)).toBe(REFUSED);
  await expect(view.boardPage.getByRole('textbox')).toHaveCount(0);
});

test('a changed board shows by itself, scrolled as before', async ({ page, server, writeBoard }) => {
  const board = (title: string) =>
    `<h1 style="margin-top: 3000px">${title}</h1><p style="margin: 3000px">.</p>`;
  await writeBoard(board('First'));
  const { boardPage } = await WorkspaceView.open(page, server);
  await boardPage.getByRole('heading', { name: 'First' }).scrollIntoViewIfNeeded();
  const scrolled = () => boardPage.locator('body').evaluate(() => scrollY);
  const before = await scrolled();
  expect(before).toBeGreaterThan(1000);

  await writeBoard(board('Second'));
  await expect(boardPage.getByRole('heading', { name: 'Second' })).toBeInViewport();
  await expect.poll(scrolled).toBe(before);
});

test('a board of its own tab is as confined as in its frame', async ({ page, server, writeBoard }) => {
  await writeBoard(
    '<h1>Alone</h1><script>try { document.cookie; } catch (e) { document.title = e.name; }</script>',
  );
  await WorkspaceView.open(page, server);
  await page.goto(`${server.url}w/demo/board/`);
  await expect(page.getByRole('heading', { name: 'Alone' })).toBeVisible();
  await expect(page).toHaveTitle('SecurityError');
});
