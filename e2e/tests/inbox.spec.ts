/** The inbox: what waits for a person in all workspaces, decided once, by whoever is first. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import type { FakeModel } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import type { Box, RunningServer } from '../support/server.ts';
import { callYourself, StartPage } from '../support/start-page.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

// several people and sessions in one test
test.slow();

test.beforeEach(async ({ box }) => {
  await mkdir(join(box.dir, 'lab'));
  const lab = { id: 'lab', name: 'vision-lab', work_dir: 'lab' };
  await writeFile(
    box.configPath,
    JSON.stringify({ workspaces: [{ id: 'demo', work_dir: box.workDir }, lab] }),
  );
});

/** A session that waits for a person, under this title. */
async function asking(
  { server, model }: { server: RunningServer; model: FakeModel },
  workspace: string,
  title: string,
  step: Parameters<FakeModel['answer']>[0],
): Promise<string> {
  model.answer(step);
  const session = await server.newSession(workspace, { title });
  await server.send(session, 'go on');
  await server.until(session, ({ asks }) => asks.length > 0);
  return session;
}

const runs = (cmd: string) => [{ call: 'exec_command', args: { cmd } }];
const patch = [
  { custom: 'apply_patch', input: '*** Begin Patch\n*** Add File: notes.txt\n+a note\n*** End Patch\n' },
];
const question = [
  {
    call: 'request_user_input',
    args: { questions: [{ id: 'size', header: 'Size', question: 'Which size?', options: [] }] },
  },
];

function contents(box: Box, ...path: string[]): Promise<string> {
  return readFile(join(box.dir, ...path), 'utf8').catch(() => ''); // nothing was written
}

/** Holds the answers of these pages back until each of them has given one. */
async function letGoTogether(pages: readonly Page[]): Promise<void> {
  const all = new Gate();
  let given = 0;
  for (const page of pages)
    await page.route('**/asks/*', async (route) => {
      given += 1;
      if (given === pages.length) all.open();
      await all.opened;
      await route.continue();
    });
}

async function withSomebodyElse(browser: Browser, work: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext();
  try {
    await work(await context.newPage());
  } finally {
    await context.close();
  }
}

test('two workspaces, two people, one approval: exactly one wins, and the other is told by whom', async ({
  page,
  browser,
  box,
  server,
  model,
}) => {
  const session = await asking({ server, model }, 'lab', 'Train', runs('echo ran >> runs.txt'));
  await asking({ server, model }, 'demo', 'Ask', question);
  const ada = await StartPage.open(page, server, 'Ada');
  await withSomebodyElse(browser, async (other) => {
    const ben = await StartPage.open(other, server, 'Ben');
    for (const { inbox } of [ada, ben]) {
      await expect(inbox.rows).toHaveCount(2);
      await expect(inbox.rows.first()).toContainText('vision-lab');
      await expect(inbox.rows.first()).toContainText('echo ran >> runs.txt');
      await expect(inbox.rows.first()).toContainText('in ~/lab');
      await expect(inbox.button).toHaveAccessibleName(/^Inbox: 2 wait for you/);
    }
    await letGoTogether([page, other]);
    await ada.inbox
      .row('vision-lab')
      .getByRole('button', { name: /^Allow once/ })
      .click();
    await ben.inbox
      .row('vision-lab')
      .getByRole('button', { name: /^Decline/ })
      .click();

    const over = /You allowed it|You declined it|Already allowed by Ada|Already declined by Ben/;
    await expect(ada.inbox.row('vision-lab')).toContainText(over);
    await expect(ben.inbox.row('vision-lab')).toContainText(over);
    const adaWon = (await ada.inbox.row('vision-lab').textContent())?.includes('You allowed it');
    await expect(ben.inbox.row('vision-lab')).toContainText(
      adaWon ? 'Already allowed by Ada' : 'You declined it',
    );
    await expect(ada.inbox.row('vision-lab')).toContainText(
      adaWon ? 'You allowed it' : 'Already declined by Ben',
    );
    await server.idle(session);
    expect(await contents(box, 'lab', 'runs.txt')).toBe(adaWon ? 'ran\n' : '');

    // it leaves once the hand does
    for (const { inbox } of [ada, ben]) {
      await expect(inbox.button).toHaveAccessibleName(/^Inbox: 1 waits for you/);
      await inbox.button.hover();
      await expect(inbox.rows).toHaveCount(1);
    }
  });
});

test('what cannot be judged here is opened, with the ask in view and focused', async ({
  page,
  server,
  model,
}) => {
  await asking({ server, model }, 'lab', 'Notes', patch);
  await asking({ server, model }, 'demo', 'Size', question);
  const { inbox } = await StartPage.open(page, server);
  const view = new WorkspaceView(page);
  await expect(inbox.row('Notes')).toContainText('notes.txt');
  await expect(inbox.row('Notes').getByRole('button')).toHaveCount(0);
  await inbox.row('Notes').getByRole('link', { name: 'Open Notes' }).click();
  await expect(page).toHaveURL(/\/w\/lab\/\?session=/);
  await expect(view.approval).toBeFocused();

  // from there to the next, over the workspaces, and in the very session that is on show
  for (const round of ['first', 'again']) {
    await test.step(round, async () => {
      await inbox.button.click();
      await inbox.panel.getByRole('listitem').filter({ hasText: 'Which size?' }).getByRole('link').click();
      await expect(page).toHaveURL(/\/w\/demo\/\?session=/);
      await expect(view.question).toBeFocused();
      await view.message.focus();
    });
  }
});

test('by keyboard alone: Alt+I, decide, and back to where one was', async ({ page, box, server, model }) => {
  const view = await WorkspaceView.open(page, server, await server.newSession());
  await callYourself(page, 'Ada');
  const { inbox } = new StartPage(page);
  // one at a time: of what comes at once the number is told
  const news = page.locator('[aria-live=polite]', { hasText: 'vision-lab asks for approval' });
  for (const [title, text] of [
    ['Train', 'ran'],
    ['Second', 'second'],
  ] as const) {
    await asking({ server, model }, 'lab', title, runs(`echo ${text} >> runs.txt`));
    await expect(news).toContainText(`echo ${text}`);
  }
  await view.message.focus();
  await page.keyboard.type('half a thought');
  await page.keyboard.press('Alt+I');
  await expect(inbox.panel.getByRole('heading', { name: 'Inbox' })).toBeFocused();
  // under a hand nothing leaves
  await inbox.panel.hover();
  const allow = inbox.row('Train').getByRole('button', { name: /^Allow once/ });
  while (!(await allow.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(inbox.row('Train')).toContainText('You allowed it');
  // the row keeps the focus, and then the one in its place
  await expect(inbox.row('Train')).toBeFocused();
  await page.mouse.move(0, 0);
  await expect(inbox.row('Train')).toHaveCount(0);
  await expect(inbox.row('Second')).toBeFocused();
  await expect.poll(() => contents(box, 'lab', 'runs.txt')).toBe('ran\n');
  await page.keyboard.press('Escape');
  await expect(inbox.panel).toHaveCount(0);
  await expect(view.message).toBeFocused();
  await expect(view.message).toHaveValue('half a thought');
});

test('nothing moves under the pointer: what ends stays in its place, what is new is added below', async ({
  page,
  server,
  model,
}) => {
  const first = await asking({ server, model }, 'demo', 'First', runs('echo one'));
  await asking({ server, model }, 'lab', 'Second', runs('echo two'));
  const { inbox } = await StartPage.open(page, server);
  const second = inbox.row('Second');
  await second.hover();
  const before = await second.boundingBox();
  const [ask] = (await server.state(first)).asks;
  await fetch(new URL(`api/sessions/${first}/asks/${ask?.id}`, server.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.token}`,
      'content-type': 'application/json',
      'x-tscodex-name': 'Grace',
    },
    body: JSON.stringify({ choice: 'once' }),
  });
  await expect(inbox.row('First')).toContainText('Already allowed by Grace');
  await server.idle(first);
  await asking({ server, model }, 'demo', 'Third', runs('echo three'));
  await expect(inbox.rows).toHaveCount(3);
  expect(await second.boundingBox()).toEqual(before);
  await second.getByRole('button', { name: /^Decline/ }).click();
  await expect(second).toContainText('You declined it');
  await expect(inbox.row('Third')).not.toContainText('You declined it');
  await inbox.button.hover();
  await expect(inbox.rows).toHaveCount(1);
  await expect(inbox.rows).toContainText('Third');
});

test('over a restart what waits is still there, and is decided once', async ({
  page,
  box,
  server,
  start,
  model,
}) => {
  const session = await asking({ server, model }, 'lab', 'Train', runs('echo ran >> runs.txt'));
  const { inbox } = await StartPage.open(page, server);
  await expect(inbox.rows).toHaveCount(1);
  await server.kill();
  await inbox
    .row('Train')
    .getByRole('button', { name: /^Allow once/ })
    .click();
  await expect(inbox.row('Train').getByRole('alert')).toContainText(
    /Not decided\. (The server cannot be reached|A proxy in between answers 502)/,
  );
  const lost = page.getByText('Connection lost');
  await expect(lost).toBeVisible();
  const again = await start('--listen', new URL(server.url).host);
  await expect(lost).toHaveCount(0);
  await expect(inbox.rows).toHaveCount(1);
  await inbox
    .row('Train')
    .getByRole('button', { name: /^Allow once/ })
    .click();
  await expect(inbox.row('Train')).toContainText('You allowed it');
  await again.idle(session);
  expect(await contents(box, 'lab', 'runs.txt')).toBe('ran\n');
});

test('on a phone it fills the screen and is a press away from everywhere', async ({
  page,
  server,
  model,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await asking({ server, model }, 'lab', 'Train', runs(`echo ${'long '.repeat(60)}`));
  const view = await WorkspaceView.open(page, server, await server.newSession());
  await callYourself(page, 'Ada');
  const { inbox } = new StartPage(page);
  await page
    .getByRole('navigation', { name: 'Panes' })
    .getByRole('button', { name: /^Inbox: 1 waits/ })
    .click();
  expect(await inbox.panel.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  await inbox.panel.getByRole('button', { name: 'Close the inbox' }).click();
  await page.getByRole('button', { name: /^Sessions/ }).click();
  await page
    .getByRole('navigation', { name: 'Panes' })
    .getByRole('button', { name: /^Inbox/ })
    .click();
  await inbox.panel.getByRole('link', { name: 'Open Train' }).click();
  await expect(view.approval).toBeFocused();
});

test('who looks at an approval that somebody else answers sees by whom, and so does who was too late', async ({
  page,
  browser,
  server,
  model,
}) => {
  model.answer(runs('echo first'), runs('echo second'), [{ text: 'Done.' }]);
  const session = await server.newSession();
  const ada = await WorkspaceView.open(page, server, session);
  await callYourself(page, 'Ada');
  await withSomebodyElse(browser, async (other) => {
    const ben = await WorkspaceView.open(other, server, session);
    await callYourself(other, 'Ben');
    await ada.send('go on');
    await expect(ben.approval).toContainText('echo first');
    await ada.allowOnce();
    await expect(ben.conversation.getByRole('button', { name: /Ran echo first/ })).toContainText(
      'allowed by Ada',
    );

    await expect(ben.approval).toContainText('echo second');
    // what Ada decides has not reached Ben's page when he does
    await other.route('**/asks/*', async (route) => {
      await ada.approval.getByRole('button', { name: 'Decline', exact: true }).click();
      await expect(ada.approval).toHaveCount(0);
      await route.continue();
    });
    await ben.allowOnce();
    await expect(other.getByRole('alert')).toContainText(
      'Already declined by Ada. Your answer came too late.',
    );
    await expect(ben.approval).toHaveCount(0);
    await expect(ben.conversation.getByRole('button', { name: /Did not run echo second/ })).toContainText(
      'declined by Ada',
    );
  });
});
