/** Sessions as tabs: named, ordered, closed and opened again, each in its own place. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { AllSessions, catalogued } from '../support/all-sessions.ts';
import { test } from '../support/browser-stage.ts';
import { writeCodexSession } from '../support/codex-session.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

// each goes through several reloads or restarts
test.slow();

const titles = (view: WorkspaceView) =>
  view.sessions.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('title')));
const tab = (view: WorkspaceView, name: string) => view.sessions.getByRole('tab', { name });
const field = (page: Page) => page.getByRole('textbox', { name: 'Title of the session' });

/** An Enter as a browser reports it. */
async function enter(at: Locator, isComposing: boolean, keyCode: number): Promise<void> {
  await at.evaluate(
    (element, [composing, code]) => {
      const init = { key: 'Enter', isComposing: composing as boolean, bubbles: true, cancelable: true };
      const event = new KeyboardEvent('keydown', init);
      Object.defineProperty(event, 'keyCode', { value: code });
      element.dispatchEvent(event);
    },
    [isComposing, keyCode] as const,
  );
}

test('a session is renamed in place: by F2, by a double click, in its menu', async ({ page, server }) => {
  const session = await server.newSession('demo', { title: 'First' });
  const view = await WorkspaceView.open(page, server, session);
  await tab(view, 'First').press('F2');
  await field(page).fill('Second <b>&amp;</b>');
  await field(page).press('Enter');
  await expect(tab(view, 'Second <b>&amp;</b>')).toBeFocused();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Second <b>&amp;</b>');
  await expect(page).toHaveTitle('Second <b>&amp;</b> · demo');
  expect((await server.state(session)).title).toBe('Second <b>&amp;</b>');

  await tab(view, 'Second').dblclick();
  await field(page).fill('Not this');
  await field(page).press('Escape');
  await expect(field(page)).toHaveCount(0);
  await expect(tab(view, 'Second')).toBeFocused();

  // leaving the field saves, as does the heading's own
  await page.getByRole('button', { name: 'Session menu' }).click();
  await page.getByRole('menuitem', { name: 'Rename…' }).click();
  await field(page).fill('Third');
  await view.message.click();
  await expect(tab(view, 'Third')).toBeVisible();
  await page.getByRole('heading', { level: 1 }).dblclick();
  await field(page).fill('');
  await field(page).press('Enter');
  await expect(tab(view, 'Untitled session')).toBeVisible();
  expect((await server.state(session)).title).toBeNull();
});

test('O-F2: an Enter of the input method ends no renaming', async ({ page, server }) => {
  const view = await WorkspaceView.open(page, server, await server.newSession('demo', { title: 'First' }));
  await tab(view, 'First').press('F2');
  await field(page).fill('你');
  await enter(field(page), true, 229);
  await enter(field(page), false, 229);
  await expect(field(page)).toBeFocused();
  await enter(field(page), false, 13);
  await expect(tab(view, '你')).toBeVisible();
});

test('O-F2: an Enter of the input method opens no session of the list and creates none', async ({
  page,
  server,
  box,
}) => {
  await writeCodexSession(box.codexHome, box.workDir, ['你好', '你好。']);
  await catalogued(server, 1);
  const view = await WorkspaceView.open(page, server, await server.newSession('demo', { title: 'Open' }));
  const all = await AllSessions.open(page);
  await all.field.fill('你好');
  await page.locator('mark').first().waitFor();
  await enter(all.field, true, 229);
  await enter(all.field, false, 229);
  await expect(all.field).toBeFocused();
  await all.field.press('Escape');

  await page.getByRole('button', { name: 'Choose model and directory…' }).click();
  const directory = page.getByRole('combobox', { name: 'Directory' });
  await directory.fill('你');
  await enter(directory, true, 229);
  await enter(directory, false, 229);
  await directory.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await titles(view)).toEqual(['Open']);
});

test('a name of 300 characters is cut at the limit, and nothing grows by it', async ({ page, server }) => {
  const view = await WorkspaceView.open(page, server, await server.newSession('demo', { title: 'First' }));
  await tab(view, 'First').press('F2');
  await field(page).fill('x'.repeat(300));
  await field(page).press('Enter');
  await expect(tab(view, 'x'.repeat(200))).toBeVisible();
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBeLessThanOrEqual(0);
});

test('a renaming that fails says so and shows the title that counts', async ({ page, server }) => {
  const view = await WorkspaceView.open(page, server, await server.newSession('demo', { title: 'First' }));
  await page.route('**/api/sessions/*', (route) => route.abort());
  await tab(view, 'First').press('F2');
  await field(page).fill('Lost');
  await field(page).press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Not renamed' })).toBeVisible();
  await expect(tab(view, 'First')).toBeVisible();
});

test('closing can be undone, and what was said is there again', async ({ page, server, model }) => {
  model.answer([{ text: 'A clever answer.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('What is it?');
  await expect(view.conversation).toContainText('A clever answer.');
  await expect(view.status).toHaveText('idle');
  await page.getByRole('button', { name: 'Close this session' }).click();
  const note = page.getByRole('status').filter({ hasText: 'Closed “What is it?”' });
  await expect(tab(view, 'What is it?')).toHaveCount(0);
  await note.getByRole('button', { name: 'Undo' }).click();
  await expect(tab(view, 'What is it?')).toBeVisible();
  await expect(view.conversation).toContainText('A clever answer.');
  await expect(note).toHaveCount(0);
  await view.send('And now?');
  await expect(view.conversation.locator('[data-item=agentMessage]')).toHaveCount(2);
});

test('a session that works is closed only when one says so', async ({ page, server, model }) => {
  model.answer('silence');
  const view = await WorkspaceView.open(page, server);
  await view.send('work');
  await expect(tab(view, 'work')).toContainText('working');
  await page.getByRole('button', { name: 'Close this session' }).click();
  const question = page.getByRole('dialog', { name: 'Close the session while it works?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(tab(view, 'work')).toBeVisible();
  await page.getByRole('button', { name: 'Session menu' }).click();
  await page.getByRole('menuitem', { name: 'Close this session' }).click();
  await question.getByRole('button', { name: 'Stop and close' }).click();
  await expect(tab(view, 'work')).toHaveCount(0);
});

test('closed sessions are found by title and opened by keyboard, also after a restart', async ({
  page,
  start,
  model,
}) => {
  let server = await start();
  for (const title of ['Alpha parser', 'Beta', 'Gamma Parser tests']) {
    model.answer([{ text: 'Done.' }]);
    const id = await server.newSession('demo', { title });
    await server.send(id, 'begin');
    await server.idle(id);
    await server.api('DELETE', `api/sessions/${id}`);
  }
  await server.kill('SIGTERM');
  server = await start();
  await catalogued(server, 3);
  const view = await WorkspaceView.open(page, server);
  const all = await AllSessions.open(page);
  await expect(all.lines).toHaveText([/Gamma Parser tests/, /Beta/, /Alpha parser/]);
  await page.keyboard.type('PARSER');
  await expect(all.lines).toHaveText([/Gamma/, /Alpha/]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(tab(view, 'Alpha parser')).toHaveAttribute('aria-selected', 'true');

  await AllSessions.open(page);
  await all.field.fill('nothing like it');
  await expect(page.getByText('Nothing found for “nothing like it”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(AllSessions.button(page)).toBeFocused();
});

test('a session whose file is gone says so and stays closed', async ({ page, server, model, box }) => {
  model.answer([{ text: 'Gone soon.' }]);
  const id = await server.newSession();
  await server.send(id, 'to be lost');
  await server.idle(id);
  await server.api('DELETE', `api/sessions/${id}`);
  await catalogued(server, 1);
  await WorkspaceView.open(page, server);
  const all = await AllSessions.open(page);
  await all.lines.waitFor();
  await rm(join(box.codexHome, 'sessions'), { recursive: true });
  await all.lines.getByRole('link').click();
  await expect(page.getByRole('alert')).toContainText('is gone');
  await expect(all.lines).toHaveText([/to be lost/]);
});

test('the order is kept over reload and restart, and changed by keyboard and by hand', async ({
  page,
  start,
}) => {
  let server = await start();
  for (const title of ['a', 'b', 'c']) await server.newSession('demo', { title });
  let view = await WorkspaceView.open(page, server);
  await expect.poll(() => titles(view)).toEqual(['c', 'b', 'a']);
  await view.sessions.getByRole('tab').first().press('Alt+ArrowDown');
  await expect.poll(() => titles(view)).toEqual(['b', 'c', 'a']);
  await page.keyboard.press('Alt+ArrowDown');
  await expect.poll(() => titles(view)).toEqual(['b', 'a', 'c']);
  await page.reload();
  await expect.poll(() => titles(view)).toEqual(['b', 'a', 'c']);

  await view.sessions.getByRole('tab').nth(2).dragTo(view.sessions.getByRole('tab').nth(0));
  await expect.poll(() => titles(view)).toEqual(['c', 'b', 'a']);
  await expect
    .poll(async () => (await server.workspaces())[0]?.sessions.map(({ title }) => title))
    .toEqual(['a', 'b', 'c']);
  await server.kill('SIGTERM');
  server = await start();
  view = await WorkspaceView.open(page, server);
  await expect.poll(() => titles(view)).toEqual(['c', 'b', 'a']);
  await server.newSession('demo', { title: 'newest' });
  await expect.poll(() => titles(view)).toEqual(['newest', 'c', 'b', 'a']);
});

test('a new session takes a directory below that of the workspace, and shows where it is', async ({
  page,
  server,
  box,
}) => {
  await mkdir(join(box.workDir, 'packages', 'api'), { recursive: true });
  const view = await WorkspaceView.open(page, server);
  await page.getByRole('button', { name: 'Choose model and directory…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByRole('combobox', { name: 'Directory' }).fill('../');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByRole('alert')).toContainText('is outside the workspace');
  await dialog.getByRole('combobox', { name: 'Directory' }).fill('nowhere');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`${box.workDir}/nowhere is no directory`);

  await dialog.getByRole('combobox', { name: 'Directory' }).fill('packages/a');
  await page.getByRole('option', { name: 'packages/api' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('combobox', { name: 'Directory' })).toHaveValue(/packages\/api\/?$/);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(view.message).toBeFocused();
  // the home of this server is the directory around the workspace
  await expect(page.getByRole('main').getByTitle('~/work/packages/api')).toBeVisible();
});

test('a session that somebody else closes says so, and is opened again from where one is', async ({
  page,
  server,
  model,
}) => {
  model.answer([{ text: 'Said before.' }]);
  const session = await server.newSession('demo', { title: 'Shared' });
  await server.send(session, 'go');
  await server.idle(session);
  const view = await WorkspaceView.open(page, server, session);
  const reopen = page.getByRole('main').getByRole('button', { name: 'Open it again' });
  await server.request('DELETE', `api/sessions/${session}`);
  await expect(page.getByRole('alert').filter({ hasText: 'was closed' })).toBeVisible();
  await reopen.click();
  await expect(tab(view, 'Shared')).toBeVisible();
  await expect(reopen).toHaveCount(0);
  await view.send('and again');
  await expect(view.conversation).toContainText('OK.');

  // also where nothing of it was on show
  await server.request('DELETE', `api/sessions/${session}`);
  await page.reload();
  await reopen.click();
  await expect(view.conversation).toContainText('Said before.');
});

test('what is new elsewhere is marked until one looks, on this device', async ({ page, server, model }) => {
  model.answer([{ text: 'Done elsewhere.' }]);
  const other = await server.newSession('demo', { title: 'Other' });
  const view = await WorkspaceView.open(page, server, await server.newSession('demo', { title: 'Mine' }));
  await server.send(other, 'go');
  await server.idle(other);
  await expect(tab(view, 'Other')).toContainText('new');
  await page.reload();
  await expect(tab(view, 'Other')).toContainText('new');
  await tab(view, 'Other').click();
  await expect(view.conversation).toContainText('Done elsewhere.');
  await tab(view, 'Mine').click();
  await expect(tab(view, 'Other')).not.toContainText('new');
});
