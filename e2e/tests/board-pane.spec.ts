/** The board beside the conversation: as wide as one likes, out of the way, in a window of its own, not there yet. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test as base } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const test = base.extend<{ writeBoard: (html: string) => Promise<void> }>({
  writeBoard: async ({ box }, use) => {
    const directory = join(box.workDir, '.tscodex');
    await mkdir(directory, { recursive: true });
    await use((html) => writeFile(join(directory, 'demo.html'), html));
  },
});

test.slow();
test.use({ viewport: { width: 1440, height: 900 } });

const splitter = (page: Page) => page.getByRole('separator', { name: 'Width of the board' });
const width = async (view: WorkspaceView) => Math.round((await view.board.boundingBox())?.width ?? 0);

test('its width is changed by keyboard and by hand', async ({ page, server }) => {
  const view = await WorkspaceView.open(page, server);
  await expect(splitter(page)).toHaveAttribute('aria-valuenow', '38');
  const usual = await width(view);
  await splitter(page).press('ArrowLeft');
  await expect(splitter(page)).toHaveAttribute('aria-valuenow', '40');
  await expect.poll(() => width(view)).toBeGreaterThan(usual);
  await splitter(page).press('Home');
  await expect(splitter(page)).toHaveAttribute('aria-valuenow', '20');

  const edge = await splitter(page).boundingBox();
  if (!edge) throw new Error('the edge is not there');
  await page.mouse.move(edge.x + edge.width / 2, edge.y + 400);
  await page.mouse.down();
  await page.mouse.move(720, 500, { steps: 4 });
  await page.mouse.up();
  await expect(splitter(page)).toHaveAttribute('aria-valuenow', '50');
  await expect.poll(() => width(view)).toBe(719);
});

test('its width is remembered, and put back by a double click', async ({ page, server }) => {
  const view = await WorkspaceView.open(page, server);
  const usual = await width(view);
  await splitter(page).press('End');
  await page.reload();
  await expect(splitter(page)).toHaveAttribute('aria-valuenow', '70');
  await splitter(page).dblclick();
  await expect(splitter(page)).toHaveAttribute('aria-valuenow', '38');
  await expect.poll(() => width(view)).toBe(usual);
});

test('it can be hidden and stays so, until it is asked for', async ({ page, server, writeBoard }) => {
  await writeBoard('<!doctype html><h1>Numbers</h1>');
  const view = await WorkspaceView.open(page, server);
  await expect(view.boardPage.getByRole('heading')).toHaveText('Numbers');
  await splitter(page).press('Enter');
  await expect(view.board).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Show the board' })).toBeFocused();
  await page.reload();
  await expect(view.message).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show the board' })).toBeVisible();
  await expect(view.board).toHaveCount(0);
  await page.getByRole('button', { name: 'Show the board' }).click();
  await expect(view.boardPage.getByRole('heading')).toHaveText('Numbers');
  await page.getByRole('button', { name: 'Hide the board' }).click();
  await expect(view.board).toHaveCount(0);
});

test('in a window of its own it is logged in and knows nothing of the page it came from', async ({
  page,
  server,
  writeBoard,
}) => {
  await writeBoard(
    '<!doctype html><title>Mine</title><h1>Numbers</h1><p id=o></p><script>o.textContent = String(opener)</script>',
  );
  const view = await WorkspaceView.open(page, server);
  await expect(view.boardPage.getByRole('heading')).toHaveText('Numbers');
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Open the board in a window of its own' }).click();
  const board = await opening;
  await expect(board.getByRole('heading')).toHaveText('Numbers');
  await expect(board.locator('#o')).toHaveText('null');
  expect(board.url().replace(server.url, '')).toMatch(/^w\/demo\/board\/[^/]+\/$/);
});

test('where there is none yet the page says what it is and offers a message that asks for one', async ({
  page,
  server,
  model,
}) => {
  const view = await WorkspaceView.open(page, server);
  await expect(view.board).toContainText('A board is a page that the agent writes');
  await view.message.fill('Before that:');
  await view.board.getByRole('button', { name: 'Ask the agent for a board' }).click();
  await expect(view.message).toBeFocused();
  await expect(view.message).toHaveValue(/^Before that:\n\nMake a board for this workspace/);
  expect(model.requests).toEqual([]);
  await view.message.press('Enter');
  await expect(view.conversation).toContainText('OK.');
  const [asked] = model.requests;
  // the agent knows of the board, and where it is
  expect(JSON.stringify(asked?.input)).toContain('This workspace has a board');
  expect(JSON.stringify(asked?.input)).toContain('.tscodex/demo.html');
});

test('storage blocked: the width holds for as long as the page is open', async ({ page, server }) => {
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await page.addInitScript(() => {
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, storage, {
        get() {
          throw new DOMException('refused', 'SecurityError');
        },
      });
  });
  const view = await WorkspaceView.open(page, server, await server.newSession('demo', { title: 'One' }));
  await splitter(page).press('ArrowLeft');
  await expect(splitter(page)).toHaveAttribute('aria-valuenow', '40');
  await view.send('still works');
  await expect(view.conversation).toContainText('OK.');
  // over another page and back
  await page.getByRole('link', { name: 'All workspaces' }).click();
  await page.getByRole('link', { name: 'demo', exact: true }).first().click();
  await expect(splitter(page)).toHaveAttribute('aria-valuenow', '40');
  expect(errors.filter((text) => text.includes('refused'))).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('it is one of the panes, and the message it offers leads to the conversation', async ({
    page,
    server,
  }) => {
    const view = await WorkspaceView.open(page, server);
    await expect(view.board).toHaveCount(0);
    await page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name: 'Board' }).click();
    await expect(view.board).toBeVisible();
    await expect(splitter(page)).toBeHidden();
    await view.board.getByRole('button', { name: 'Ask the agent for a board' }).click();
    await expect(view.message).toHaveValue(/^Make a board/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    );
  });
});
