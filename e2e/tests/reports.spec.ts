/**
 * What users of similar products report (the numbers are those of the list of requirements), where no other spec
 * is about it: each is how people lost work, or were shown something that was not so.
 */
import { expect } from '@playwright/test';
import { test as base } from '../support/browser-stage.ts';
import { said } from '../support/conversation.ts';
import { CutProxy } from '../support/cut-proxy.ts';
import { Gate } from '../support/gate.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const test = base.extend<{ other: WorkspaceView; line: CutProxy }>({
  /** A browser of its own, logged in. */
  other: async ({ browser, server }, use) => {
    const context = await browser.newContext();
    await use(await WorkspaceView.open(await context.newPage(), server));
    await context.close();
  },
  line: async ({ server }, use) => {
    const line = await CutProxy.start(server);
    await use(line);
    await line.stop();
  },
});

test('Q1: after a break in mid-turn a viewer shows what one without a break shows', async ({
  page,
  server,
  model,
  line,
  other,
}) => {
  const gate = new Gate();
  const plan = { call: 'update_plan', args: { plan: [{ step: 'count', status: 'in_progress' }] } };
  model.answer(
    [{ text: 'One, ' }, { wait: gate.opened }, { text: '**two**, three.' }, plan],
    [{ text: 'Done: $x^2$.' }],
  );
  const session = await server.newSession();
  const login = new URL(line.loginUrl);
  login.search = `next=${encodeURIComponent(`/w/demo/?session=${session}`)}`;
  await page.goto(login.href);
  const view = new WorkspaceView(page);
  await other.page.goto(`${server.url}w/demo/?session=${session}`);
  await view.send('count');
  await expect(view.conversation).toContainText('One,');
  line.cut();
  gate.open();
  await expect(other.status).toHaveText('idle');
  line.mend();
  await expect(view.status).toHaveText('idle');
  for (const { conversation } of [view, other]) await expect(conversation.locator('.katex')).toBeVisible();
  expect(await view.conversation.textContent()).toBe(await other.conversation.textContent());
});

test('Q4: a closed tab that is opened again shows that the agent works, and what it has written', async ({
  page,
  server,
  model,
}) => {
  const gate = new Gate();
  model.answer([{ text: 'Half of it' }, { wait: gate.opened }, { text: ', and the rest.' }]);
  const session = await server.newSession();
  const first = await WorkspaceView.open(await page.context().newPage(), server, session);
  await first.send('write');
  await expect(first.conversation).toContainText('Half of it');
  await first.page.close();

  const again = await WorkspaceView.open(page, server, session);
  await expect(again.status).toContainText('working');
  await expect(again.conversation).toContainText('Half of it');
  gate.open();
  await expect(again.conversation).toContainText('Half of it, and the rest.');
  await expect(again.status).toHaveText('idle');
});

test('Q8: a message is on its way, then saved, then seen by the agent; nothing claims more', async ({
  page,
  server,
  model,
}) => {
  const gate = new Gate();
  const arrives = new Gate();
  model.answer([{ text: 'Working.' }, { wait: gate.opened }], [{ text: 'Read.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('start');
  await expect(view.conversation).toContainText('Working.');
  await page.route('**/inputs', async (route) => {
    await arrives.opened;
    await route.continue();
  });
  await view.send('and this');
  await expect(view.waiting('steer')).toContainText(/and this.*sending/);
  arrives.open();
  await expect(view.waiting('steer')).not.toContainText('sending');
  await expect(view.waiting('steer')).toContainText('and this');
  const shown = view.conversation.getByText('and this', { exact: true });
  await expect(shown).toHaveCount(0);
  gate.open();
  await expect(view.conversation).toContainText('Read.');
  await expect(shown).toHaveCount(1);
  await expect(view.waiting('steer')).toHaveCount(0);
});

test('Q9, Q10: what was queued in a tab that is gone is seen by all and runs when its turn comes', async ({
  page,
  server,
  model,
  other,
}) => {
  const gate = new Gate();
  model.answer([{ text: 'Working.' }, { wait: gate.opened }], [{ text: 'Queued one done.' }]);
  const session = await server.newSession();
  const tab = await WorkspaceView.open(await page.context().newPage(), server, session);
  await tab.send('start');
  await expect(tab.conversation).toContainText('Working.');
  await tab.choose('Queue');
  await tab.send('later');
  await expect(tab.waiting('queue')).toContainText('later');
  await tab.page.close();

  await other.page.goto(`${server.url}w/demo/?session=${session}`);
  await expect(other.waiting('queue')).toContainText('later');
  gate.open();
  await expect(other.conversation).toContainText('Queued one done.');
  expect(said(await server.idle(session))).toEqual(['start', 'later']);
});

test('Q11: reloading and going to another session and back does not disturb the turn', async ({
  page,
  server,
  model,
}) => {
  const gate = new Gate();
  model.answer([{ text: 'First part. ' }, { wait: gate.opened }, { text: 'Second part.' }]);
  const [session, quiet] = [await server.newSession(), await server.newSession()];
  const view = await WorkspaceView.open(page, server, session);
  await view.send('work');
  await expect(view.conversation).toContainText('First part.');
  await page.reload();
  await expect(view.conversation).toContainText('First part.');
  await page.goto(`${server.url}w/demo/?session=${quiet}`);
  await expect(view.status).toHaveText('idle');
  await expect(view.conversation).not.toContainText('First part.');
  await view.sessions.getByRole('tab').filter({ hasText: 'work' }).click();
  await expect(view.status).toContainText('working');
  gate.open();
  await expect(view.conversation).toContainText('First part. Second part.');
  expect(model.requests).toHaveLength(1);
});

test('Q48: a login that ends leads to the login page, and what was being written is there afterwards', async ({
  page,
  server,
}) => {
  const session = await server.newSession();
  const view = await WorkspaceView.open(page, server, session);
  await view.message.fill('half a thought');
  const tab = await page.context().newPage();
  await tab.goto(server.url);
  await tab.evaluate(() => fetch('api/logout', { method: 'POST' }));
  await tab.close();

  await expect(page).toHaveURL(/login\?next=/);
  await page.getByRole('textbox', { name: 'Password' }).fill(server.token);
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page).toHaveURL(new RegExp(`session=${session}`));
  await expect(view.message).toHaveValue('half a thought');
});
