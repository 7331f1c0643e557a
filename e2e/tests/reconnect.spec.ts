/** The server goes down under an open page: the page says so, comes back by itself, and shows what is true. */
import { expect, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const CONNECTION_LOST = 'Connection lost. Trying again; what you write is kept.';

/** Marks the page, to tell later whether it was loaded again. */
const mark = (page: Page) => page.evaluate(() => document.documentElement.setAttribute('data-mark', ''));
const isMarked = (page: Page) => page.locator('html[data-mark]').count();

test('Q7: after kill -9 in mid-stream and a restart, every message is there once', async ({
  page,
  server,
  start,
  model,
}) => {
  model.answer(
    [{ text: 'All is well.' }],
    [{ text: 'Half a sentence' }, { wait: new Promise(() => undefined) }],
    [{ text: 'A whole one.' }],
  );
  const view = await WorkspaceView.open(page, server);
  await view.send('how are you');
  await expect(view.conversation).toContainText('All is well.');
  await expect(view.status).toHaveText('idle');
  await view.send('tell me more');
  await expect(view.conversation).toContainText('Half a sentence');
  await mark(page);

  await server.kill('SIGKILL');
  await expect(page.getByText(CONNECTION_LOST)).toBeVisible();
  await expect(view.status).toHaveText('connection lost');
  await expect(view.conversation).toContainText('Half a sentence');

  await start('--listen', new URL(server.url).host);
  await expect(page.getByText(CONNECTION_LOST)).toBeHidden({ timeout: 20_000 });
  await expect(view.status).toHaveText('idle');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(view.conversation).toContainText('A whole one.');
  await expect(view.status).toHaveText('idle');
  for (const once of ['how are you', 'All is well.', 'tell me more', 'A whole one.'])
    await expect(view.conversation.getByText(once, { exact: true })).toHaveCount(1);
  expect(await isMarked(page)).toBe(1);
});

test('an approval that was open is open again, and is answered once', async ({
  page,
  server,
  start,
  model,
}) => {
  model.answer([{ call: 'exec_command', args: { cmd: 'echo it ran' } }], [{ text: 'Done.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('run it');
  await expect(view.approval).toContainText('echo it ran');
  await mark(page);
  await server.kill('SIGKILL');
  await expect(page.getByText(CONNECTION_LOST)).toBeVisible();
  await start('--listen', new URL(server.url).host);
  await expect(page.getByText(CONNECTION_LOST)).toBeHidden({ timeout: 20_000 });
  await expect(view.approval).toHaveCount(1);
  await view.allowOnce();
  await expect(view.conversation).toContainText('Done.');
  await expect(view.conversation.getByRole('button', { name: /Ran echo it ran/ })).toHaveCount(1);
  expect(await isMarked(page)).toBe(1);
});

test('O-F7 (3), Q14: what is sent while the server is down is kept, and sent once', async ({
  page,
  server,
  start,
  model,
}) => {
  const view = await WorkspaceView.open(page, server, await server.newSession());
  await server.kill('SIGKILL');
  await expect(page.getByText(CONNECTION_LOST)).toBeVisible();
  await view.send('are you there');
  const failed = view.waiting('steer');
  await expect(failed).toContainText('not sent');
  await expect(failed).toContainText('are you there');

  await start('--listen', new URL(server.url).host);
  await expect(page.getByText(CONNECTION_LOST)).toBeHidden({ timeout: 20_000 });
  await failed.getByRole('button', { name: 'Retry' }).click();
  await expect(view.conversation).toContainText('OK.');
  await expect(failed).toHaveCount(0);
  await expect(view.conversation.getByText('are you there', { exact: true })).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});
