/** How a person gets in. */
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test('the link of the start-up line logs in, and its token leaves the address bar', async ({
  page,
  server,
}) => {
  await page.goto(server.loginUrl);
  await expect(page.getByRole('heading', { name: 'Workspaces' })).toBeVisible();
  expect(page.url()).toBe(server.url);
  await page.goBack();
  expect(page.url()).not.toContain('token');
});

test('a link of a former start says so and asks for the password', async ({ page, server }) => {
  await page.goto(`${server.url}login#token=not-the-token`);
  await expect(page.getByRole('alert')).toContainText('token is not valid');
  expect(page.url()).toBe(`${server.url}login`);
  await page.getByRole('textbox', { name: 'Password' }).fill(server.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByRole('heading', { name: 'Workspaces' })).toBeVisible();
});

test('a wrong password is refused, the right one leads to where the link led', async ({ page, start }) => {
  const server = await start('--password', 'correct horse');
  await page.goto(`${server.url}w/demo/?session=none`);
  await expect(page).toHaveURL(/login\?next=/);
  const password = page.getByRole('textbox', { name: 'Password' });
  await expect(password).toBeFocused();

  await password.pressSequentially('incorrect');
  await password.press('Enter');
  await expect(page.getByRole('alert')).toContainText('That is not the password');

  await password.pressSequentially('correct horse');
  await password.press('Enter');
  await expect(page).toHaveURL(`${server.url}w/demo/?session=none`);
});

test('a login outlives the server and ends with Log out', async ({ page, server, start }) => {
  await WorkspaceView.open(page, server);
  await server.kill('SIGTERM');
  const again = await start('--listen', new URL(server.url).host);
  await page.goto(again.url);
  await page.getByRole('button', { name: 'You', exact: true }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('textbox', { name: 'Password' })).toBeVisible();
  await page.goto(again.url);
  await expect(page).toHaveURL(/login/);
});
