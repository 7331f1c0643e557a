/** O-F7: text and images in the composer belong to their session, and are sent once. */
import { expect, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { CutProxy } from '../support/cut-proxy.ts';
import type { ModelRequest } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import { DOT } from '../support/pictures.ts';
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

const attached = (page: Page) => page.getByRole('list', { name: 'Attached images' });
const notSent = (view: WorkspaceView) => view.page.getByRole('button', { name: 'Retry', exact: true });
const imagesIn = (request: ModelRequest | undefined) =>
  (JSON.stringify(request?.input).match(/data:image\//g) ?? []).length;

/** Puts an image into the composer and waits until the server has it. */
async function attach(page: Page, name: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles([{ ...DOT, name }]);
  const remove = page.getByRole('button', { name: `Remove ${name}` });
  await expect(attached(page).getByRole('listitem').filter({ has: remove })).toContainText('uploaded');
}

test('O-F7 (1), (2): each session keeps its own images, over a reload too', async ({ page, server }) => {
  const a = await server.newSession('demo', { title: 'First' });
  await server.newSession('demo', { title: 'Second' });
  const view = await WorkspaceView.open(page, server, a);
  const go = (name: string) => view.sessions.getByRole('tab', { name }).click();
  await view.message.fill('half a thought');
  await attach(page, 'a.gif');
  await go('Second');
  await expect(attached(page)).toHaveCount(0);
  await attach(page, 'b.gif');
  await go('First');
  await expect(attached(page).getByRole('img')).toHaveAccessibleName('a.gif');
  await expect(view.message).toHaveValue('half a thought');
  await page.reload();
  await expect(attached(page).getByRole('img')).toHaveAccessibleName('a.gif');
  await expect(view.message).toHaveValue('half a thought');
  await go('Second');
  await expect(attached(page).getByRole('img')).toHaveAccessibleName('b.gif');
});

test('O-F7 (3): what is sent while the server is down is kept, image and all, and sent once', async ({
  page,
  start,
  model,
}) => {
  const first = await start();
  const session = await first.newSession();
  const proxy = await CutProxy.start(first);
  try {
    const through = Object.create(first, { url: { value: first.url.replace(/:\d+\//, `:${proxy.port}/`) } });
    const view = await WorkspaceView.open(page, through, session);
    await attach(page, 'a.gif');
    await first.kill();
    await view.send('while you were away');
    await expect(view.waiting('steer')).toContainText('while you were away');
    await expect(view.waiting('steer').getByRole('img', { name: '1 image' })).toBeVisible();
    await expect(notSent(view)).toBeVisible();
    // one that was attached meanwhile goes up by itself
    await page.locator('input[type=file]').setInputFiles([{ ...DOT, name: 'later.gif' }]);
    await expect(attached(page).getByText('not uploaded')).toHaveCount(1);
    await view.send('too soon');
    await expect(page.getByRole('alert').getByText('An image was not uploaded.')).toBeVisible();
    await expect(view.message).toHaveValue('too soon');

    const again = await start();
    proxy.leadTo(again);
    await expect(attached(page).getByText('uploaded', { exact: true })).toHaveCount(1);
    await notSent(view).click();
    await expect(view.conversation).toContainText('while you were away');
    await again.idle(session);
    expect(model.requests.map(imagesIn)).toEqual([1]);
    const { items } = await again.state(session);
    expect(items.filter(({ type }) => type === 'userMessage')).toHaveLength(1);
  } finally {
    await proxy.stop();
  }
});

test('O-F7 (3): the same when it answers 500, also over a reload, and when it is taken back', async ({
  page,
  server,
  model,
}) => {
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  await attach(page, 'a.gif');
  await page.route('**/inputs', (route) => route.fulfill({ status: 500, body: 'out of order' }));
  await view.send('in trouble');
  await expect(notSent(view)).toBeVisible();
  await page.reload();
  await expect(notSent(view)).toBeVisible();
  await expect(view.waiting('steer').getByRole('img', { name: '1 image' })).toBeVisible();
  await view.waiting('steer').getByRole('button', { name: 'Edit “in trouble”' }).click();
  await expect(view.message).toHaveValue('in trouble');
  await expect(attached(page).getByRole('img')).toHaveAccessibleName('a.gif');
  await view.message.press('Enter');
  await expect(notSent(view)).toBeVisible();
  await page.unroute('**/inputs');
  await notSent(view).click();
  await expect(view.conversation).toContainText('OK.');
  await server.idle(session);
  expect(model.requests.map(imagesIn)).toEqual([1]);
});

test('O-F7 (3): a closed WebSocket keeps no message and no image from the server', async ({
  page,
  server,
  model,
}) => {
  const session = await server.newSession();
  const proxy = await CutProxy.start(server);
  try {
    const through = Object.create(server, {
      url: { value: server.url.replace(/:\d+\//, `:${proxy.port}/`) },
    });
    const view = await WorkspaceView.open(page, through, session);
    proxy.cut();
    await attach(page, 'a.gif');
    await view.send('by the other way');
    await server.idle(session);
    expect(model.requests.map(imagesIn)).toEqual([1]);
    proxy.mend();
    await expect(view.conversation.getByRole('img', { name: 'a.gif' })).toBeVisible();
    await expect(view.conversation.getByText('by the other way')).toHaveCount(1);
    await expect(notSent(view)).toHaveCount(0);
  } finally {
    await proxy.stop();
  }
});

test('O-F7 (4): a double click on Send sends an image once', async ({ page, server, model }) => {
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  await attach(page, 'a.gif');
  await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
  await expect(view.conversation).toContainText('OK.');
  await server.idle(session);
  expect(model.requests.map(imagesIn)).toEqual([1]);
  await expect(view.conversation.getByRole('img', { name: 'a.gif' })).toHaveCount(1);
});

test('O-F7 (5): a send that fails after a switch leaves the other composer alone', async ({
  page,
  server,
  model,
}) => {
  const a = await server.newSession('demo', { title: 'First' });
  await server.newSession('demo', { title: 'Second' });
  const gate = new Gate();
  await page.route(`**/${a}/inputs`, async (route) => {
    await gate.opened;
    await route.fulfill({ status: 500, body: 'out of order' });
  });
  const view = await WorkspaceView.open(page, server, a);
  await attach(page, 'a.gif');
  await view.send('for the first');
  await view.sessions.getByRole('tab', { name: 'Second' }).click();
  await view.message.fill('for the second');
  gate.open();
  await expect(view.message).toHaveValue('for the second');
  await expect(attached(page)).toHaveCount(0);
  await expect(notSent(view)).toHaveCount(0);
  await view.sessions.getByRole('tab', { name: 'First' }).click();
  await expect(notSent(view)).toBeVisible();
  await page.unroute(`**/${a}/inputs`);
  await notSent(view).click();
  await expect(view.conversation).toContainText('OK.');
  expect(model.requests.map(imagesIn)).toEqual([1]);
});
