/** Q13: the page on a phone, with fingers, a keyboard that comes up, a notch and a home bar. */
import { expect, type Locator, type Page, type TestInfo } from '@playwright/test';
import { AllSessions, catalogued } from '../support/all-sessions.ts';
import { test } from '../support/browser-stage.ts';
import { writeCodexSession } from '../support/codex-session.ts';
import { complaints, PHONE, setSafeArea, WITH_KEYBOARD } from '../support/phone.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use(PHONE);
// many screens to a test
test.describe.configure({ timeout: 180_000 });

/** No complaint about what is shown, in either colour scheme, and a picture for people. */
async function fits(page: Page, info: TestInfo, name: string): Promise<void> {
  await page.screenshot({ path: info.outputPath(`${name}.png`) });
  expect.soft(await complaints(page), name).toEqual([]);
}

async function boxOf(part: Locator): Promise<{ top: number; bottom: number }> {
  const box = await part.boundingBox();
  if (!box) throw new Error('it is not there');
  return { top: box.y, bottom: box.y + box.height };
}

const showPane = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Panes' }).getByRole('button', { name }).tap();

const LONG = `https://example.org/${'a-very-long-path-without-a-blank/'.repeat(8)}`;

test('login', async ({ page, server }, info) => {
  await page.goto(`${server.url}login`);
  await page.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).tap();
  await expect(page.getByRole('alert')).toContainText('not the password');
  await fits(page, info, 'login');
});

test('the workspaces', async ({ page, server }, info) => {
  await server.newSession();
  await page.goto(server.loginUrl);
  await page.getByRole('link', { name: 'demo' }).waitFor();
  await fits(page, info, 'workspaces');
  await page.getByRole('button', { name: 'More about demo' }).tap();
  await page.getByRole('menu').waitFor();
  await fits(page, info, 'workspace-menu');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a workspace' }).tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Directory' }).fill('/');
  await dialog.getByRole('option').first().waitFor();
  await fits(page, info, 'workspace-add');
  await page.setViewportSize(WITH_KEYBOARD);
  await expect(dialog.getByRole('combobox', { name: 'Directory' })).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Add', exact: true }).scrollIntoViewIfNeeded();
  await fits(page, info, 'workspace-add-keyboard');
});

test('a conversation of every kind of item, and each pane', async ({ page, server, model }, info) => {
  const plan = [
    { step: `Read ${LONG}`, status: 'completed' },
    { step: 'Write the tests', status: 'in_progress' },
  ];
  const patch = `*** Begin Patch\n*** Add File: ${'deep/'.repeat(20)}notes.txt\n+${LONG}\n*** End Patch\n`;
  model.answer(
    [{ reasoning: '**Looking around**\n\nWhere are the tests?' }, { call: 'update_plan', args: { plan } }],
    [{ call: 'exec_command', args: { cmd: `printf '%s' ${LONG}; exit 3` } }],
    [{ custom: 'apply_patch', input: patch }],
    [
      {
        text: `# ${LONG}\n\n- ${LONG}\n\n| a | b |\n|---|---|\n| ${LONG} | \`${LONG}\` |\n\n\`\`\`sh\necho ${LONG}\n\`\`\`\n`,
      },
    ],
  );
  await server.newSession('demo', { title: `An older session of ${LONG}`.slice(0, 200) });
  const view = await WorkspaceView.open(page, server, await server.newSession());
  await view.send(`Please read ${LONG}`);
  await view.approval.waitFor();
  await fits(page, info, 'approval-command');
  await view.allowOnce();
  await view.approval.getByText('notes.txt').waitFor();
  await fits(page, info, 'approval-patch');
  await view.allowOnce();
  await expect(view.status).toHaveText('idle');
  await view.conversation.getByRole('button', { name: /Ran/ }).tap();
  await view.send('/help');
  await expect(view.conversation).toContainText('/history');
  await fits(page, info, 'conversation');

  await showPane(page, 'Inbox');
  await page.getByRole('dialog').waitFor();
  await fits(page, info, 'inbox-empty');
  await page.keyboard.press('Escape');
  await showPane(page, 'Sessions');
  await fits(page, info, 'sessions');
  await showPane(page, 'Board');
  await fits(page, info, 'board');
  await showPane(page, 'Chat');
  await expect(view.message).toBeVisible();
});

test('a question, messages that wait, and what asks before a session is closed', async ({
  page,
  server,
  model,
}, info) => {
  const options = [
    { label: 'Small', description: `Fits in memory; see ${LONG}.` },
    { label: 'Large', description: 'On disk; quick for everything.' },
  ];
  const question = { id: 'size', header: 'Size', question: 'How large may the index grow?', options };
  model.answer([{ call: 'request_user_input', args: { questions: [question] } }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('Add an index');
  await view.question.waitFor();
  await fits(page, info, 'question');

  await view.message.fill('and one more thing');
  await page.getByRole('button', { name: 'Send as a message' }).tap();
  await view.waiting('steer').waitFor();
  await fits(page, info, 'waiting');

  await showPane(page, 'Inbox');
  await page.getByRole('dialog').getByText('How large may the index grow?').waitFor();
  await fits(page, info, 'inbox');
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: 'Close this session' }).tap();
  await page.getByRole('dialog').waitFor();
  await fits(page, info, 'dialog');
  const { top, bottom } = await boxOf(page.getByRole('dialog'));
  expect(top).toBeGreaterThan(0);
  expect(bottom).toBeLessThan(844);
});

test('what opens over a page: menus, settings, a new session, all there are', async ({
  page,
  server,
  box,
}, info) => {
  await writeCodexSession(box.codexHome, `/srv/${'deep/'.repeat(30)}`, [
    `See ${LONG}`,
    `The parser, ${LONG}`,
  ]);
  await catalogued(server, 1);
  await page.goto(server.loginUrl);
  const dialog = page.getByRole('dialog');
  for (const name of [/^Notifications/, 'You'] as const) {
    await page.getByRole('button', { name }).tap();
    await dialog.waitFor();
    await fits(page, info, String(name).replace(/\W/g, ''));
    await page.keyboard.press('Escape');
  }
  const session = await server.newSession('demo', { title: `A session of ${LONG}`.slice(0, 200) });
  await WorkspaceView.open(page, server, session);
  await page.getByRole('button', { name: 'Session menu' }).tap();
  await fits(page, info, 'session-menu');
  await page.getByRole('menuitem', { name: 'Rename…' }).tap();
  await fits(page, info, 'rename');
  await page.keyboard.press('Escape');
  await showPane(page, 'Sessions');
  await page.getByRole('button', { name: 'Choose model and directory…' }).tap();
  await dialog.waitFor();
  await fits(page, info, 'new-session');
  await page.keyboard.press('Escape');
  await showPane(page, 'Chat');
  await page.getByRole('button', { name: 'Close this session' }).first().tap();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await fits(page, info, 'closed');
  await showPane(page, 'Sessions');
  await AllSessions.button(page).tap();
  const all = new AllSessions(page);
  await all.lines.first().waitFor();
  await fits(page, info, 'all-sessions');
  await all.field.fill('parser');
  await page.locator('mark').first().waitFor();
  await fits(page, info, 'found');
});

test('Q13: the keyboard covers neither the field nor what is asked', async ({
  page,
  server,
  model,
}, info) => {
  model.answer([{ call: 'exec_command', args: { cmd: `echo ${'word '.repeat(200)}` } }]);
  const view = await WorkspaceView.open(page, server);
  await expect(page.getByRole('navigation', { name: 'Panes' })).toBeVisible();
  // nothing over the conversation
  await expect(page.getByRole('complementary')).toBeHidden();
  await view.message.tap();
  await view.message.fill('Run it');
  // Chromium makes the page smaller: interactive-widget=resizes-content
  await page.setViewportSize(WITH_KEYBOARD);
  const field = await boxOf(view.message);
  expect(field.bottom).toBeLessThanOrEqual(WITH_KEYBOARD.height);
  await expect(page.getByRole('navigation', { name: 'Panes' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeInViewport({ ratio: 1 });
  await page.screenshot({ path: info.outputPath('keyboard.png') });

  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  await view.approval.waitFor();
  await expect(page.getByRole('button', { name: 'Allow once' })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('button', { name: 'Decline', exact: true })).toBeInViewport({ ratio: 1 });
  await expect(view.message).toBeInViewport({ ratio: 1 });
  expect(await complaints(page)).toEqual([]);
  await page.screenshot({ path: info.outputPath('keyboard-approval.png') });
  await page.setViewportSize(PHONE.viewport);
  await expect(page.getByRole('navigation', { name: 'Panes' })).toBeVisible();
});

test('Q13: a keyboard that lies over the page leaves no strip and covers nothing', async ({
  page,
  server,
}) => {
  await page.addInitScript(() => {
    const view = Object.assign(new EventTarget(), { height: 844, width: 390, scale: 1, offsetTop: 0 });
    Object.defineProperty(window, 'visualViewport', { value: view });
  });
  const cover = (height: number) =>
    page.evaluate((seen) => {
      const view = window.visualViewport as VisualViewport;
      Object.assign(view, { height: seen });
      view.dispatchEvent(new Event('resize'));
    }, height);
  const view = await WorkspaceView.open(page, server);
  await view.message.tap();
  await cover(480);
  const box = await boxOf(page.locator('main'));
  expect(Math.round(box.bottom)).toBe(480);
  expect((await boxOf(view.message)).bottom).toBeLessThan(480);
  await cover(844);
  expect((await boxOf(page.getByRole('navigation', { name: 'Panes' }))).bottom).toBe(844);
});

test('Q13: nothing lies under the notch or the home bar', async ({ page, server }, info) => {
  await setSafeArea(page, { top: 47, bottom: 34 });
  const view = await WorkspaceView.open(page, server);
  const bar = page.getByRole('navigation', { name: 'Panes' });
  expect((await boxOf(bar)).bottom).toBe(844);
  expect((await boxOf(bar.getByRole('button', { name: 'Chat' }))).bottom).toBeLessThanOrEqual(844 - 34);
  expect((await boxOf(page.locator('main'))).top).toBe(47);
  await page.screenshot({ path: info.outputPath('safe-area.png') });
  // the home bar is gone while the keyboard is up: no dead strip above it
  await view.message.tap();
  await page.setViewportSize(WITH_KEYBOARD);
  expect(Math.round((await boxOf(page.locator('main'))).bottom)).toBe(WITH_KEYBOARD.height);
});
