/** People are told of what happens in sessions they do not look at: by notifications, in the tab's title, on its icon. */
import { expect, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { askedOn, clickLast, fakeNotifications, shownOn } from '../support/fake-notifications.ts';
import { Gate } from '../support/gate.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

// each waits for what the agent does, several times over
test.slow();

const approval = [{ call: 'exec_command', args: { cmd: 'rm -rf secret-name' } }];

async function switchOn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Notifications are off' }).click();
  await page.getByRole('checkbox', { name: 'Show notifications on this device' }).check();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
}

const icon = (page: Page) => page.locator('link[rel=icon]').getAttribute('href');

test('they are asked for by a click alone; done, waiting and failed are told, and lead there', async ({
  page,
  server,
  model,
}) => {
  await fakeNotifications(page.context(), 'granted');
  const other = await server.newSession('demo', { title: 'Other' });
  const mine = await server.newSession('demo', { title: 'Mine' });
  const view = await WorkspaceView.open(page, server, mine);
  expect(await askedOn(page)).toBe(0);
  await switchOn(page);
  expect(await askedOn(page)).toBe(1);

  model.answer([{ text: 'Very private words.' }]);
  await server.send(other, 'go');
  await expect.poll(() => shownOn(page)).toEqual(['Other | Done · demo']);
  model.answer([{ failed: { code: 'invalid_prompt', message: 'no' } }]);
  await server.send(other, 'fail');
  await expect.poll(() => shownOn(page)).toEqual(['Other | Done · demo', 'Other | Failed · demo']);
  model.answer(approval, [{ text: 'Fine.' }]);
  await server.send(other, 'ask');
  await expect.poll(() => shownOn(page)).toHaveLength(3);
  // nothing of what was said or would be run
  expect((await shownOn(page)).at(-1)).toBe('Other | Waits for your approval · demo');

  await clickLast(page);
  await expect(page.getByRole('tab', { name: 'Other' })).toHaveAttribute('aria-selected', 'true');
  await expect(view.approval).toBeVisible();
  // in view: nothing to tell
  await view.allowOnce();
  await server.idle(other);
  await expect(page.getByRole('tab', { name: 'Other' })).not.toContainText('working');
  // what is told comes later than the news of it: something else is told by then
  await server.send(mine, 'go');
  await expect.poll(() => shownOn(page)).toContain('Mine | Done · demo');
  expect(await shownOn(page)).toHaveLength(4);
});

test('two tabs tell once, a tab that shows the session keeps the other quiet, and a reload tells nothing again', async ({
  page,
  server,
  model,
}) => {
  const context = page.context();
  await fakeNotifications(context, 'granted', 'granted');
  const other = await server.newSession('demo', { title: 'Other' });
  const mine = await server.newSession('demo', { title: 'Mine' });
  await WorkspaceView.open(page, server, mine);
  await switchOn(page);
  const second = await context.newPage();
  await second.goto(`${server.url}w/demo/?session=${mine}`);
  // a setting counts in all tabs
  await expect(second.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
  const all = async () => [...(await shownOn(page)), ...(await shownOn(second))];

  await server.send(other, 'one');
  await server.idle(other);
  await expect.poll(all).toEqual(['Other | Done · demo']);
  const toldHere = await shownOn(page);
  await second.reload();
  await expect(second.getByRole('tab', { name: 'Other' })).toContainText('new');

  await second.getByRole('tab', { name: 'Other' }).click();
  await expect(new WorkspaceView(second).conversation).toContainText('one');
  await server.send(other, 'two');
  await server.idle(other);
  // seen in one tab is seen in the other
  await expect(page.getByRole('tab', { name: 'Other' })).not.toContainText(/new|working/);
  // a third thing, that nobody looks at, comes after what is not told
  const third = await server.newSession('demo', { title: 'Third' });
  await expect(page.getByRole('tab', { name: 'Third' })).toBeVisible();
  await server.send(third, 'three');
  await expect.poll(all).toContain('Third | Done · demo');
  await expect(second.getByRole('tab', { name: 'Third' })).toContainText('new');
  expect((await all()).filter((text) => text.startsWith('Other'))).toEqual(toldHere);
  expect(model.requests).toHaveLength(3);
});

test('a kind and a session can be left out', async ({ page, server, model }) => {
  await fakeNotifications(page.context(), 'granted');
  const muted = await server.newSession('demo', { title: 'Muted' });
  const other = await server.newSession('demo', { title: 'Other' });
  const mine = await server.newSession('demo', { title: 'Mine' });
  await WorkspaceView.open(page, server, muted);
  await switchOn(page);
  await page.getByRole('button', { name: 'Session menu' }).click();
  await page.getByRole('menuitem', { name: 'Mute its notifications' }).click();
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await page.getByRole('checkbox', { name: 'is done' }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Mine' }).click();

  await server.send(other, 'done, which is not told');
  await server.idle(other);
  model.answer(approval);
  await server.send(muted, 'asks, which is not told');
  await server.until(muted, ({ asks }) => asks.length > 0);
  model.answer(approval);
  await server.send(other, 'asks');
  await expect.poll(() => shownOn(page)).toEqual(['Other | Waits for your approval · demo']);

  // remembered on this device
  await page.reload();
  await page.getByRole('button', { name: 'Notifications', exact: true }).click();
  await expect(page.getByRole('checkbox', { name: 'is done' })).not.toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Muted' }).click();
  await page.getByRole('button', { name: 'Session menu' }).click();
  await expect(page.getByRole('menuitem', { name: 'Unmute its notifications' })).toBeVisible();
  expect(mine).not.toBe('');
});

test('permission denied: the setting says so, and what helps', async ({ page, server }) => {
  await fakeNotifications(page.context(), 'denied');
  await WorkspaceView.open(page, server);
  await page.getByRole('button', { name: 'Notifications are off' }).click();
  const box = page.getByRole('checkbox', { name: 'Show notifications on this device' });
  await box.click();
  await expect(page.getByText('This browser blocks notifications from this page')).toBeVisible();
  await expect(box).not.toBeChecked();
  await expect(box).toBeDisabled();
});

test('a browser that shows none to pages says so', async ({ page, server }) => {
  await page.addInitScript(() => {
    const refuses = function Notification() {
      throw new TypeError('Illegal constructor');
    };
    Object.assign(refuses, { permission: 'granted', requestPermission: async () => 'granted' });
    Object.assign(window, { Notification: refuses });
  });
  await WorkspaceView.open(page, server);
  await page.getByRole('button', { name: 'Notifications are off' }).click();
  await page.getByRole('checkbox', { name: 'Show notifications on this device' }).click();
  await expect(page.getByText('This browser shows no notifications for pages.')).toBeVisible();
});

test('title and icon say what waits and what is new, without any permission, on every page', async ({
  page,
  server,
  model,
}) => {
  await page.context().grantPermissions(['notifications']);
  const other = await server.newSession('demo', { title: 'Other' });
  const view = await WorkspaceView.open(page, server, await server.newSession('demo', { title: 'Mine' }));
  await expect(page).toHaveTitle('Mine · demo');
  const plain = await icon(page);
  expect(plain).toContain('icon.svg');

  const gate = new Gate();
  model.answer([{ wait: gate.opened }, { text: 'Done.' }]);
  await server.send(other, 'go');
  await expect(page.getByRole('tab', { name: 'Other' })).toContainText('working');
  await expect(page).toHaveTitle('Mine · demo');
  gate.open();
  await expect(page).toHaveTitle('• Mine · demo');
  expect(decodeURIComponent((await icon(page)) ?? '')).toContain('#2b8a3e');

  model.answer(approval, [{ text: 'Fine.' }]);
  await server.send(other, 'ask');
  await expect(page).toHaveTitle('(1) Mine · demo');
  expect(decodeURIComponent((await icon(page)) ?? '')).toContain('>1</text>');
  await page.getByRole('link', { name: 'All workspaces' }).click();
  await expect(page).toHaveTitle(/^\(1\) /);

  await page.goBack();
  await page.getByRole('tab', { name: 'Other' }).click();
  await view.allowOnce();
  await expect(page).toHaveTitle('Other · demo');
  await expect.poll(() => icon(page)).toContain('icon.svg');
});
