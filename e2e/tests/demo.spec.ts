/** The first thing a newcomer sees: no model is configured, and the demo shows what a session can do. */
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use({ configured: false });

test('from the login link to board, command, question, plan and formula', async ({ page, server }) => {
  await page.goto(server.loginUrl);
  await page.getByRole('link', { name: 'demo' }).click();
  await page.getByRole('button', { name: 'New session' }).click();
  const view = new WorkspaceView(page);
  await expect(view.message).toBeFocused();
  await expect(page.getByText('Demo model, no AI')).toBeVisible();
  await expect(view.board).toContainText('No board yet');
  await view.send('demo');

  await expect(view.approval).toContainText('ls -la');
  await expect(view.approval).toContainText('Not confined');
  await expect(view.status).toContainText('waiting for you');
  await view.allowOnce();

  await view.question.getByRole('radio', { name: /Forest/ }).check();
  await view.question.getByRole('button', { name: 'Submit' }).click();

  await expect(view.approval).toContainText('.tscodex/demo.html');
  await view.allowOnce();
  await expect(view.boardPage.getByRole('heading', { name: 'Demo board' })).toBeVisible();
  await expect(view.boardPage.locator('body')).toContainText('Forest');

  await expect(view.conversation).toContainText('That was the tour.');
  await expect(view.conversation.locator('.katex-display .katex-html')).toBeVisible();
  await expect(view.conversation).toContainText('You chose Forest');
  await expect(view.conversation.getByRole('button', { name: /Ran ls -la/ })).toBeVisible();
  await expect(view.conversation.getByRole('heading', { name: 'Plan · 4 of 4' })).toBeVisible();
  await expect(view.status).toHaveText('idle');
});

test('the board runs its own script', async ({ page, server }) => {
  const view = await WorkspaceView.open(page, server);
  await view.send('board');
  await view.allowOnce();
  await view.boardPage.getByRole('button').click();
  await expect(view.boardPage.getByRole('button')).toContainText('1');
});
