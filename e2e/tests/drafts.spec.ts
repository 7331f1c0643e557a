/** O-F7: the text in the composer belongs to its session, and is sent once. */
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test('each session keeps its own draft, over a reload too', async ({ page, server }) => {
  const a = await server.newSession('demo', { title: 'First' });
  await server.newSession('demo', { title: 'Second' });
  const view = await WorkspaceView.open(page, server, a);
  await view.message.fill('half a thought');
  await view.sessions.getByRole('tab', { name: 'Second' }).click();
  await expect(view.message).toHaveValue('');
  await view.message.fill('another');
  await view.sessions.getByRole('tab', { name: 'First' }).click();
  await expect(view.message).toHaveValue('half a thought');
  await page.reload();
  await expect(view.message).toHaveValue('half a thought');
  await view.sessions.getByRole('tab', { name: 'Second' }).click();
  await expect(view.message).toHaveValue('another');
});

test('a double click on Send sends one message', async ({ page, server, model }) => {
  const view = await WorkspaceView.open(page, server, await server.newSession());
  await view.message.fill('only once');
  await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
  await expect(view.conversation).toContainText('OK.');
  await expect(view.status).toHaveText('idle');
  await expect(view.conversation.getByText('only once')).toHaveCount(1);
  expect(model.requests).toHaveLength(1);
});

test('the first message makes a session, and one writes on in the same box; after its close the next makes another', async ({
  page,
  server,
  model,
}) => {
  model.answer([{ text: 'One.' }], [{ text: 'Two.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('first');
  await page.keyboard.type('and then something else');
  await expect(view.conversation).toContainText('One.');
  await expect(view.message).toHaveValue('and then something else');
  await expect(view.message).toBeFocused();

  await page.getByRole('button', { name: 'Close this session' }).click();
  await expect(view.sessions.getByRole('tab')).toHaveCount(0);
  await view.send('second');
  await expect(view.conversation).toContainText('Two.');
  await expect(view.sessions.getByRole('tab')).toHaveCount(1);
  await expect(view.conversation).not.toContainText('One.');
});
