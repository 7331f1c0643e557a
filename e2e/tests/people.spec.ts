/** Who: names, who is there, and who said, decided and stopped what. */
import { expect, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { Gate } from '../support/gate.ts';
import { Person } from '../support/person.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

// several browsers at once, on machines that have other things to do
test.describe.configure({ timeout: 300_000 });

/** As when another tab comes before this one. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}

test('a name is asked for once, stands in nobody’s way, and can be given later', async ({ page, server }) => {
  const person = await Person.on(page, server, await server.newSession());
  await expect(person.card).toBeVisible();
  await person.view.message.pressSequentially('typed meanwhile');
  await expect(person.view.message).toHaveValue('typed meanwhile');
  await person.card.getByRole('button', { name: 'Skip' }).click();
  await expect(person.card).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'You', exact: true })).toBeVisible();
  await expect(person.card).toHaveCount(0);

  await person.rename('Ada');
  await expect(page.getByRole('button', { name: 'You (Ada)', exact: true })).toBeVisible();
  // the next login on this device is Ada's too
  await page.getByRole('button', { name: 'You (Ada)', exact: true }).click();
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByRole('textbox', { name: 'Password' }).fill(server.token);
  await page.getByRole('textbox', { name: 'Password' }).press('Enter');
  await expect(page.getByRole('button', { name: 'You (Ada)', exact: true })).toBeVisible();
});

test('faces come and go with people and their tabs, and a new name shows at once', async ({
  page,
  browser,
  server,
}) => {
  const session = await server.newSession();
  const ada = await Person.on(page, server, session, 'Ada');
  await expect(ada.faces).toHaveCount(0);
  const grace = await Person.at(browser, server, session, 'Grace');
  const here = (...names: string[]) => `${names.length} people here: ${names.join(', ')}`;
  await expect(ada.faces).toHaveAccessibleName(here('Grace', 'You (Ada)'));
  await expect(grace.faces).toHaveAccessibleName(here('Ada', 'You (Grace)'));

  await grace.rename('Grace Hopper');
  await expect(ada.faces).toHaveAccessibleName(here('Grace Hopper', 'You (Ada)'));

  const somebody = await Person.at(browser, server, await server.newSession());
  await expect(ada.faces).toHaveAccessibleName(here('Grace Hopper', 'Somebody', 'You (Ada)'));
  await ada.faces.click();
  const list = page.getByRole('main').getByRole('list').filter({ hasText: 'Grace Hopper' });
  await expect(list.getByRole('listitem')).toHaveText([
    'GHGrace Hopperin this session',
    'Somebody',
    'AYou (Ada)in this session',
  ]);
  await page.keyboard.press('Escape');
  await expect(list).toHaveCount(0);
  await expect(ada.faces).toBeFocused();

  await hide(somebody.page, true);
  await expect(ada.faces).toHaveAccessibleName(here('Grace Hopper', 'You (Ada)'));
  await hide(somebody.page, false);
  await expect(ada.faces).toHaveAccessibleName(here('Grace Hopper', 'Somebody', 'You (Ada)'));
  await somebody.leave();
  await expect(ada.faces).toHaveAccessibleName(here('Grace Hopper', 'You (Ada)'));

  // two pages of one login are one person
  const second = await grace.page.context().newPage();
  await second.goto(grace.page.url());
  await new WorkspaceView(second).message.waitFor();
  await grace.page.close();
  await expect(ada.faces).toHaveAccessibleName(here('Grace Hopper', 'You (Ada)'));
  await second.close();
  await expect(ada.faces).toHaveCount(0);
});

test('who wrote, decided, answered and stopped is said, and known after the server was killed', async ({
  page,
  browser,
  server,
  start,
  model,
}) => {
  const session = await server.newSession();
  const ada = await Person.on(page, server, session, 'Ada');
  const grace = await Person.at(browser, server, session, 'Grace');
  const question = { id: 'q', header: 'Name', question: 'Which name?', options: [] };
  model.answer(
    [{ call: 'exec_command', args: { cmd: 'echo one' } }],
    [{ call: 'exec_command', args: { cmd: 'echo two' } }],
    [{ call: 'request_user_input', args: { questions: [question] } }],
    [{ text: 'Working on it.' }, { wait: new Promise(() => undefined) }],
  );
  await ada.view.send('please begin');

  // a race: Grace has decided to decline when Ada's word arrives
  await expect(grace.view.approval).toBeVisible();
  const decided = new Gate();
  await grace.page.route('**/asks/*', async (route) => {
    await decided.opened;
    await route.continue();
  });
  await grace.view.approval.getByRole('button', { name: 'Decline', exact: true }).click();
  await ada.view.allowOnce();
  const row = (view: WorkspaceView, command: string) =>
    view.conversation.getByRole('button', { name: new RegExp(`echo ${command}`) });
  await expect(row(ada.view, 'one')).toContainText('allowed by Ada');
  const refused = grace.page.waitForResponse('**/asks/*');
  decided.open();
  const refusal = await refused;
  expect(refusal.status()).toBe(409);
  expect(await refusal.json()).toMatchObject({
    error: { code: 'ask.ended', details: { outcome: 'answered', by: 'Ada' } },
  });
  await expect(grace.page.getByText(/already .*by Ada/i).first()).toBeVisible();

  await grace.view.approval.getByRole('button', { name: 'Decline and say why…' }).click();
  await grace.view.approval.getByRole('textbox').fill('once is enough');
  await grace.view.approval.getByRole('button', { name: 'Decline with this reason' }).click();
  await expect(row(ada.view, 'two')).toContainText('declined by Grace: “once is enough”');

  await grace.view.question.getByRole('textbox').fill('Turing');
  await grace.view.question.getByRole('button', { name: 'Submit' }).click();
  await expect(ada.view.conversation).toContainText('answered by Grace');

  await expect(ada.view.conversation).toContainText('Working on it.');
  await ada.view.choose('Queue');
  await ada.view.send('then this');
  await expect(grace.view.waiting('queue')).toContainText('Adathen this');
  await expect(ada.view.waiting('queue')).toContainText('then this');
  await expect(ada.view.waiting('queue')).not.toContainText('Ada');
  model.answer([{ text: 'Done, then.' }]);
  await grace.view.stop.click();
  await expect(ada.view.conversation).toContainText('Done, then.');

  const said = [
    'please beginAda',
    'allowed by Ada',
    'declined by Grace: “once is enough”',
    'answered by Grace',
    'Stopped by Grace.',
    'then thisAda',
  ];
  for (const words of said) await expect(ada.view.conversation).toContainText(words);
  await server.kill('SIGKILL');
  const again = await start('--listen', new URL(server.url).host);
  await page.goto(`${again.url}w/demo/?session=${session}`);
  for (const words of said) await expect(ada.view.conversation).toContainText(words);
  await expect(page.getByRole('button', { name: 'You (Ada)', exact: true })).toBeVisible();
  await expect(ada.faces).toHaveAccessibleName('2 people here: Grace, You (Ada)');
});

test('a name is text, whatever it looks like, and one that is none is refused in words', async ({
  page,
  browser,
  server,
  model,
}) => {
  const session = await server.newSession();
  const html = '<img src=x onerror="window.broken=1">';
  const mallory = await Person.on(page, server, session, html);
  const ada = await Person.at(browser, server, session, 'Ada');
  model.answer([{ text: 'Hello.' }]);
  await mallory.view.send('hi');
  await expect(ada.view.conversation).toContainText('Hello.');
  await expect(ada.view.conversation).toContainText(html);
  await expect(ada.faces).toHaveAccessibleName(`2 people here: ${html}, You (Ada)`);
  await ada.faces.click();
  for (const { page } of [mallory, ada])
    expect(await page.evaluate(() => [document.querySelector('img[src="x"]'), 'broken' in window])).toEqual([
      null,
      false,
    ]);

  await page.getByRole('button', { name: /^You/ }).click();
  const name = page.getByRole('textbox', { name: 'Your name' });
  const save = page.getByRole('dialog', { name: 'You' }).getByRole('button', { name: 'Save' });
  for (const [text, sentence] of [
    ['x'.repeat(61), 'A name has at most 60 characters.'],
    ['A\u202eda', 'A name holds no invisible characters. Type it anew.'],
  ] as const) {
    await name.fill(text);
    await expect(page.getByRole('dialog', { name: 'You' }).getByRole('alert')).toHaveText(sentence);
    await expect(save).toBeDisabled();
  }
  await name.fill('\u3164');
  await save.click();
  await expect(page.getByRole('dialog', { name: 'You' }).getByRole('alert')).toContainText(
    'no invisible characters',
  );
  await name.fill('   ');
  await expect(save).toBeDisabled();
});

test('a browser that refuses to keep anything has a name all the same', async ({ page, server }) => {
  await page.addInitScript(() => {
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, storage, {
        get: () => {
          throw new DOMException('refused', 'SecurityError');
        },
      });
  });
  const ada = await Person.on(page, server, await server.newSession(), 'Ada');
  await page.reload();
  await expect(page.getByRole('button', { name: 'You (Ada)', exact: true })).toBeVisible();
  await expect(ada.card).toHaveCount(0);
});

test('without authentication people have names too', async ({ page, browser, start }) => {
  const server = await start('--no-auth');
  const [first, second] = [page, await (await browser.newContext()).newPage()];
  for (const [index, tab] of [first, second].entries()) {
    await tab.goto(`${server.url}w/demo/`);
    const card = tab.getByRole('complementary', { name: 'What should the others call you?' });
    await card.getByRole('textbox').fill(['Ada', 'Grace'][index] ?? '');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.waitFor({ state: 'detached' });
  }
  await expect(first.getByRole('button', { name: '2 people here: Grace, You (Ada)' })).toBeVisible();
  await first.reload();
  await expect(first.getByRole('button', { name: 'You (Ada)', exact: true })).toBeVisible();
  await second.context().close();
});
