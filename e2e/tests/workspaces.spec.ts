/** The list of workspaces: added to, changed, put in order and repaired from the page, by one or by several people. */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, expect, type Route } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import type { Box, RunningServer } from '../support/server.ts';
import { StartPage } from '../support/start-page.ts';

// several people, or many pages, in one test
test.slow();

async function write(box: Box, ...workspaces: object[]): Promise<void> {
  await writeFile(box.configPath, JSON.stringify({ workspaces }));
}

async function written(box: Box): Promise<Record<string, unknown>[]> {
  return JSON.parse(await readFile(box.configPath, 'utf8')).workspaces;
}

/** Somebody else at another browser. */
async function withSomebodyElse(
  browser: Browser,
  server: RunningServer,
  work: (start: StartPage) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext();
  try {
    await work(await StartPage.open(await context.newPage(), server, 'Ben'));
  } finally {
    await context.close();
  }
}

test('an empty list offers to add; nothing filled in is the next workspace-N where the list lies', async ({
  page,
  box,
  start,
}) => {
  await write(box);
  const view = await StartPage.open(page, await start());
  await expect(page.getByText('No workspace yet')).toBeVisible();
  await view.add.click();
  await expect(view.field('Name')).toBeFocused();
  await expect(view.field('Name')).toHaveAttribute('placeholder', 'workspace-1');
  await page.keyboard.press('Enter');
  await expect(view.names).toHaveText(['workspace-1']);
  await expect(view.dialog).toHaveCount(0);
  await expect(view.card('workspace-1')).toContainText('No session yet');
  expect(await written(box)).toEqual([{ id: 'workspace-1', work_dir: '.' }]);
  await view.card('workspace-1').getByRole('link').click();
  await expect(page).toHaveURL(/\/w\/workspace-1\/$/);
});

test('a directory is completed by keyboard, and made where it does not exist', async ({
  page,
  box,
  start,
}) => {
  await mkdir(join(box.dir, 'projects', 'alpha'), { recursive: true });
  await mkdir(join(box.dir, 'projects', 'beta'));
  const view = await StartPage.open(page, await start());
  await view.add.click();
  await page.keyboard.press('Tab');
  const directory = view.field('Directory');
  await expect(directory).toBeFocused();
  await page.keyboard.type('proj');
  await expect(page.getByRole('option')).toHaveText(['projects']);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(directory).toHaveValue('projects');
  await page.keyboard.type('/');
  await expect(page.getByRole('option')).toHaveText(['projects/alpha', 'projects/beta']);
  // Escape is for the list, not for the dialog
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expect(directory).toHaveValue('projects/');
  await page.keyboard.type('b');
  await expect(page.getByRole('option')).toHaveText(['projects/beta']);
  await page.keyboard.press('Tab');
  await expect(directory).toHaveValue('projects/beta');
  await page.keyboard.type('/new/one');
  await page.keyboard.press('Enter');
  await expect(view.dialog).toHaveCount(0);
  await expect(view.card('workspace-1')).toContainText('projects/beta/new/one');
  expect((await stat(join(box.dir, 'projects/beta/new/one'))).isDirectory()).toBe(true);
});

test('what is refused is said beside its field, and nothing typed is lost, also while the server is away', async ({
  page,
  box,
  server,
}) => {
  const view = await StartPage.open(page, server);
  await view.add.click();
  await view.field('Name').fill('demo');
  await view.field('Directory').fill('elsewhere');
  await page.keyboard.press('Enter');
  await expect(view.dialog.getByRole('alert')).toHaveText(
    'There is a workspace demo already: choose another name.',
  );
  await expect(view.field('Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(view.field('Directory')).toHaveValue('elsewhere');

  await view.field('Name').fill('x'.repeat(300));
  await expect(view.dialog.getByRole('alert')).toHaveText('A name has at most 100 characters.');
  await expect(view.dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled();

  await view.field('Name').fill('lab');
  await view.field('Directory').fill('/proc/nope');
  await view.dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(view.dialog.getByRole('alert')).toContainText('/proc/nope does not exist and cannot be made');
  await expect(view.field('Directory')).toHaveAttribute('aria-invalid', 'true');

  await view.field('Directory').fill('elsewhere');
  await page.route('**/api/workspaces', (route) => route.abort());
  await view.dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(view.dialog.getByRole('alert')).toContainText('The server cannot be reached');
  await expect(view.field('Name')).toHaveValue('lab');
  await expect(view.field('Directory')).toHaveValue('elsewhere');
  await page.unroute('**/api/workspaces');
  await view.dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(view.names).toHaveText(['demo', 'lab']);
  expect(await written(box)).toEqual([
    { id: 'demo', work_dir: box.workDir },
    { id: 'lab', work_dir: 'elsewhere' },
  ]);
});

test('renaming keeps what else is in the entry', async ({ page, box, start }) => {
  await write(box, { id: 'demo', work_dir: box.workDir, colour: 'red' });
  const view = await StartPage.open(page, await start());
  await view.choose('demo', 'Edit…');
  await expect(view.field('Name')).toHaveValue('demo');
  await view.field('Name').fill('视觉 <b>lab</b>');
  await page.keyboard.press('Enter');
  await expect(view.names).toHaveText(['视觉 <b>lab</b>']);
  expect(await written(box)).toEqual([
    { id: 'demo', work_dir: box.workDir, colour: 'red', name: '视觉 <b>lab</b>' },
  ]);
});

test('the order is changed by key, from the menu and by hand, and everybody sees it', async ({
  page,
  browser,
  box,
  start,
}) => {
  await write(box, ...['a', 'b', 'c', 'd'].map((id) => ({ id, work_dir: box.workDir, enable_board: false })));
  const server = await start();
  const view = await StartPage.open(page, server);
  await withSomebodyElse(browser, server, async (there) => {
    const grip = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
    await grip('a').focus();
    await page.keyboard.press('ArrowRight');
    await expect(view.names).toHaveText(['b', 'a', 'c', 'd']);
    await expect(grip('a')).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await expect(view.names).toHaveText(['b', 'c', 'a', 'd']);
    await expect(grip('a')).toBeFocused();
    await expect(there.names).toHaveText(['b', 'c', 'a', 'd']);

    await view.choose('d', 'Move up');
    await expect(there.names).toHaveText(['b', 'c', 'd', 'a']);

    await there.card('a').hover();
    await there.page.getByRole('button', { name: 'Move a', exact: true }).hover();
    await there.page.mouse.down();
    await there.card('b').hover();
    await there.page.mouse.up();
    await expect(there.names).toHaveText(['a', 'b', 'c', 'd']);
    await expect(view.names).toHaveText(['a', 'b', 'c', 'd']);
  });
  await expect.poll(async () => (await written(box)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
});

test('removing asks first, ends what runs and leaves the files', async ({ page, box, server, model }) => {
  model.answer([{ call: 'exec_command', args: { cmd: 'true' } }]);
  await writeFile(join(box.workDir, 'kept.txt'), 'mine');
  const session = await server.newSession();
  await server.send(session, 'wait for me');
  await server.until(session, (state) => state.asks.length > 0);
  const view = await StartPage.open(page, server);
  await view.choose('demo', 'Remove…');
  await expect(view.dialog).toContainText('Its files stay where they are');
  await expect(view.dialog).toContainText('1 session works or waits right now');
  await view.dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(view.names).toHaveText(['demo']);
  await view.choose('demo', 'Remove…');
  await view.dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('No workspace yet')).toBeVisible();
  expect(await written(box)).toEqual([]);
  expect(await readFile(join(box.workDir, 'kept.txt'), 'utf8')).toBe('mine');
});

test('broken entries say why, and can be repaired', async ({ page, box, start }) => {
  const gone = join(box.dir, 'gone');
  await write(box, { id: 'gone', work_dir: gone }, { id: 'nodir' }, { id: 'demo', work_dir: box.workDir });
  const view = await StartPage.open(page, await start());
  await expect(view.card('gone')).toContainText(`${gone} does not exist`);
  await view.card('gone').getByRole('button', { name: 'Create the directory' }).click();
  await expect(view.card('gone')).toContainText('No session yet');
  expect((await stat(gone)).isDirectory()).toBe(true);

  await expect(view.card('nodir')).toContainText('is missing: name the directory to work in');
  await view.card('nodir').getByRole('button', { name: 'Edit' }).click();
  await view.field('Directory').fill('found');
  await page.keyboard.press('Enter');
  await expect(view.card('nodir')).toContainText('No session yet');
  expect((await written(box))[1]).toEqual({ id: 'nodir', work_dir: 'found' });
});

test('two people edit one entry: what they do to other fields is joined, to the same one is shown', async ({
  page,
  browser,
  box,
  server,
}) => {
  const view = await StartPage.open(page, server);
  await view.choose('demo', 'Edit…');
  await view.field('Name').fill('mine');
  await withSomebodyElse(browser, server, async (there) => {
    await there.choose('demo', 'Edit…');
    await there.field('Name').fill('theirs');
    await there.field('Directory').fill('other');
    await there.dialog.getByRole('button', { name: 'Save' }).click();
    await expect(there.names).toHaveText(['theirs']);
  });
  await expect(view.dialog).toContainText('Meanwhile somebody changed it to theirs');
  await expect(view.field('Name')).toHaveValue('mine');
  await expect(view.field('Directory')).toHaveValue('~/other');
  await view.dialog.getByRole('button', { name: 'Save mine' }).click();
  await expect(view.names).toHaveText(['mine']);
  expect(await written(box)).toEqual([{ id: 'demo', work_dir: 'other', name: 'mine' }]);
});

test('a change that is not seen yet is refused, shown, and can be replaced', async ({
  page,
  box,
  server,
}) => {
  const view = await StartPage.open(page, server);
  await view.choose('demo', 'Edit…');
  await view.field('Name').fill('mine');
  // the news of it does not reach this page before the refusal does
  const change = async (route: Route) => {
    const [{ revision } = { revision: '' }] = await server.workspaces();
    await server.api('PATCH', 'api/workspaces/demo', { revision, name: 'theirs' });
    await route.continue();
  };
  await page.route('**/api/workspaces/demo', change, { times: 1 });
  await page.keyboard.press('Enter');
  await expect(view.dialog.getByRole('alert')).toContainText('Somebody has changed this workspace meanwhile');
  await expect(view.dialog).toContainText('Meanwhile somebody changed it to theirs');
  await view.dialog.getByRole('button', { name: 'Use that' }).click();
  await expect(view.field('Name')).toHaveValue('theirs');
  await view.field('Name').fill('mine again');
  await page.keyboard.press('Enter');
  await expect(view.names).toHaveText(['mine again']);
  expect((await written(box))[0]).toMatchObject({ name: 'mine again' });
});

test('an entry that was removed while it was edited can be added again', async ({ page, box, server }) => {
  const view = await StartPage.open(page, server);
  await view.choose('demo', 'Edit…');
  await view.field('Name').fill('phoenix');
  await server.api('DELETE', 'api/workspaces/demo');
  await expect(view.dialog.getByRole('alert')).toContainText('Somebody has removed this workspace meanwhile');
  await expect(view.field('Name')).toHaveValue('phoenix');
  await view.dialog.getByRole('button', { name: 'Add it again' }).click();
  await expect(view.names).toHaveText(['phoenix']);
  expect(await written(box)).toHaveLength(1);
});

test('what is written into the file by hand shows at once and disturbs nobody', async ({
  page,
  box,
  server,
}) => {
  const view = await StartPage.open(page, server);
  await view.add.click();
  await view.field('Name').fill('half a na');
  await write(box, { id: 'demo', work_dir: box.workDir }, { id: 'by-hand', work_dir: '.' });
  await expect(view.names).toHaveText(['demo', 'by-hand']);
  await expect(view.field('Name')).toHaveValue('half a na');
  await expect(view.field('Name')).toBeFocused();
  await writeFile(box.configPath, '{"workspaces": [');
  await expect(page.getByRole('alert').filter({ hasText: 'not valid JSON' })).toHaveCount(1);
  await expect(view.names).toHaveText(['demo', 'by-hand']);
  await write(box, { id: 'by-hand', work_dir: '.' });
  await expect(view.names).toHaveText(['by-hand']);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

const focusThief = `<!doctype html><title>board</title><input id="i"><p>thumbnail</p>
<script>setInterval(() => { focus(); document.getElementById('i').focus(); }, 20)</script>`;

test('thirty boards: only those in view are loaded, and none takes the focus', async ({
  page,
  box,
  start,
}) => {
  const ids = Array.from({ length: 30 }, (_, n) => `w${n}`);
  for (const id of ids) {
    await mkdir(join(box.dir, id, '.tscodex'), { recursive: true });
    await writeFile(join(box.dir, id, '.tscodex', `${id}.html`), focusThief);
  }
  await write(box, ...ids.map((id) => ({ id, work_dir: id })));
  const view = await StartPage.open(page, await start());
  await expect(view.names).toHaveCount(30);
  await expect(page.frameLocator('iframe').first().getByText('thumbnail')).toBeVisible();
  const loaded = await page.locator('iframe').count();
  expect(loaded).toBeGreaterThan(0);
  expect(loaded).toBeLessThan(20);
  for (const frame of await page.locator('iframe').all())
    expect(await frame.evaluate((element) => element.closest('[inert][aria-hidden=true]') !== null)).toBe(
      true,
    );
  await view.add.click();
  await page.keyboard.type('a name that is typed while thirty scripts want the focus', { delay: 15 });
  await expect(view.field('Name')).toBeFocused();
  await expect(view.field('Name')).toHaveValue('a name that is typed while thirty scripts want the focus');
  await page.keyboard.press('Escape');
  await expect(view.add).toBeFocused();
});

test('names of all kinds are text, and fit on a phone', async ({ page, box, start }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const names = ['<img src=x onerror=alert(1)>', 'x'.repeat(200), '{name} & "q"', '名'.repeat(80)];
  await write(box, ...names.map((name, n) => ({ id: `w${n}`, name, work_dir: '.', enable_board: false })), {
    id: 'long',
    name: 'y'.repeat(300),
    work_dir: '.',
  });
  const view = await StartPage.open(page, await start());
  await expect(view.names).toHaveText([...names, 'y'.repeat(300)]);
  await expect(page.locator('img')).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await view.choose(names[0] as string, 'Remove…');
  await expect(view.dialog).toContainText(`Remove ${names[0]}?`);
});
