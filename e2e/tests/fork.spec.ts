/** A conversation that goes on elsewhere: forked, said in other words, exported, by another model, in another directory. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import { answered, said } from '../support/conversation.ts';
import { PHONE } from '../support/phone.ts';
import { DOT, putImage } from '../support/pictures.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use({ toml: FULL_ACCESS });

const titles = (view: WorkspaceView) =>
  view.sessions.getByRole('tab').evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('title')));
const messageOf = (view: WorkspaceView, text: string) =>
  view.conversation.locator('[data-item=userMessage]').filter({ hasText: text });
const edit = (view: WorkspaceView, text: string) =>
  messageOf(view, text).getByRole('button', { name: 'Edit in a fork' });
const sessionIn = (page: Page) => new URL(page.url()).searchParams.get('session') ?? '';

type Exported = { title: string | null; items: { type: string; text?: string }[] };

test('a message is said in other words in a fork, with its image, and the source stays as it was', async ({
  page,
  server,
  model,
}) => {
  model.answer([{ text: 'One.' }], [{ text: 'Two.' }], [{ text: 'Two, in other words.' }]);
  const session = await server.newSession('demo', { title: 'Talk' });
  const image = await putImage(server, DOT);
  await server.send(session, 'first');
  await server.idle(session);
  await server.api('POST', `api/sessions/${session}/inputs`, {
    ...{ id: crypto.randomUUID(), text: 'second', attachments: [image.id] },
  });
  await server.idle(session);
  const view = await WorkspaceView.open(page, server, session);
  await edit(view, 'second').focus();
  await page.keyboard.press('Enter');
  await expect(view.message).toHaveValue('second');
  await expect(view.message).toBeFocused();
  await expect.poll(() => titles(view)).toEqual(['Talk (2)', 'Talk']);
  await expect(view.conversation).toContainText('One.');
  await expect(messageOf(view, 'second')).toHaveCount(0);

  // nothing of it is lost on a reload
  await page.reload();
  await expect(view.message).toHaveValue('second');
  await expect(page.getByRole('list', { name: 'Attached images' }).getByRole('img')).toHaveCount(1);
  await view.send('second, better');
  await expect(view.conversation).toContainText('Two, in other words.');
  const fork = sessionIn(page);
  expect(said(await server.state(fork))).toEqual(['first', 'second, better']);
  expect(JSON.stringify(model.requests.at(-1)?.input)).toContain('data:image/gif');
  expect(JSON.stringify(model.requests.at(-1)?.input)).not.toContain('Two.');

  const source = await server.state(session);
  expect([said(source), answered(source)]).toEqual([
    ['first', 'second'],
    ['One.', 'Two.'],
  ]);
  await view.sessions.getByRole('tab', { name: 'Talk', exact: true }).click();
  await expect(view.message).toHaveValue('');
  await expect(view.conversation).toContainText('Two.');
});

test('forks of forks are there after kill -9, and /fork leads to its own', async ({ page, start, model }) => {
  model.answer([{ text: 'One.' }], [{ text: 'In the fork.' }]);
  let server = await start();
  const session = await server.newSession('demo', { title: 'Talk' });
  await server.send(session, 'first');
  await server.idle(session);
  const view = await WorkspaceView.open(page, server, session);
  await view.send('/fork');
  await view.conversation.getByRole('button', { name: 'Go there' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Talk (2)');
  await view.send('on in the fork');
  await expect(view.conversation).toContainText('In the fork.');
  await page.getByRole('button', { name: 'Session menu' }).click();
  await page.getByRole('menuitem', { name: 'Fork: go on in another session' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Talk (3)');
  const ids = (await server.workspaces())[0]?.sessions.map(({ id }) => id) ?? [];
  const tree = () => Promise.all(ids.map(async (id) => (await server.state(id)).forkedFrom));
  expect(await tree()).toEqual([null, ids[0], ids[1]]);
  const before = await Promise.all(ids.map((id) => server.state(id)));

  await server.kill('SIGKILL');
  server = await start();
  expect(await tree()).toEqual([null, ids[0], ids[1]]);
  const after = await Promise.all(ids.map((id) => server.state(id)));
  expect(after.map((state) => [said(state), answered(state)])).toEqual(
    before.map((state) => [said(state), answered(state)]),
  );
});

test('a conversation is downloaded from the menu and from where /export says', async ({
  page,
  server,
  model,
}) => {
  model.answer(
    [{ call: 'exec_command', args: { cmd: "printf '```\\n'" } }],
    [{ text: 'Look:\n\n```js\nlet open' }],
    [{ text: 'Bye.' }],
  );
  const session = await server.newSession('demo', { title: 'Über "alles"' });
  await server.send(session, 'first');
  await server.idle(session);
  await server.send(session, 'second');
  await server.idle(session);
  const view = await WorkspaceView.open(page, server, session);
  const downloaded = async (press: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), press()]);
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
  };
  const markdown = await downloaded(async () => {
    await page.getByRole('button', { name: 'Session menu' }).click();
    await page.getByRole('menuitem', { name: 'Export as Markdown' }).click();
  });
  expect(markdown.name).toBe('Über alles.md');
  expect(markdown.text).toContain("````console\n$ printf '```\\n'\n```\n````");
  expect(markdown.text).toMatch(/```js\nlet open\n```\n\n## User · .*\n\nsecond\n/);
  await view.send('/export json');
  const json = await downloaded(() => view.conversation.getByRole('link', { name: 'Download' }).click());
  expect(json.name).toBe('Über alles.json');
  const { title, items } = JSON.parse(json.text) as Exported;
  expect(title).toBe('Über "alles"');
  expect(items.filter(({ type }) => type === 'agentMessage').map(({ text }) => text)).toEqual([
    'Look:\n\n```js\nlet open',
    'Bye.',
  ]);
});

test('forks of a long title are told apart by their numbers in the list', async ({ page, server }) => {
  const title = `${'A title that is longer than the list is wide '.repeat(3)}(2)`;
  const session = await server.newSession('demo', { title });
  await WorkspaceView.open(page, server, session);
  const shown = page.getByRole('tab', { name: title }).locator('[data-unread]');
  const [words, whole] = await shown.evaluate((span) => {
    const isCut = (element: Element) => element.scrollWidth > element.clientWidth;
    return [isCut(span.children[0] as Element), isCut(span)];
  });
  expect({ words, whole }).toEqual({ words: true, whole: false });
});

test('model, effort and directory are changed where they are shown, as far as they can be', async ({
  page,
  box,
  server,
  model,
}) => {
  await mkdir(join(box.workDir, 'docs'));
  const session = await server.newSession('demo', { model: 'gpt-5.5' });
  const view = await WorkspaceView.open(page, server, session);
  await page.getByRole('button', { name: 'gpt-5.5' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Model')).toHaveValue('gpt-5.5');
  await dialog.getByLabel('Reasoning effort').selectOption('high');
  await dialog.getByRole('button', { name: 'Change' }).click();
  await expect(page.getByRole('button', { name: 'gpt-5.5 · high' })).toBeFocused();

  await page.getByRole('button', { name: /Change the directory/ }).click();
  const field = dialog.getByRole('combobox', { name: 'Directory' });
  await field.fill('..');
  await field.press('Enter');
  await expect(dialog.getByRole('alert')).toContainText('outside the workspace');
  await field.fill('do');
  await dialog.getByRole('option', { name: 'docs' }).waitFor();
  await field.press('Tab');
  await field.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(view.conversation).toContainText('commands start in');
  model.answer([{ call: 'exec_command', args: { cmd: 'pwd' } }], [{ text: 'There.' }]);
  await view.send('where?');
  await expect(view.conversation).toContainText('There.');
  const { items, cwd, effort } = await server.state(session);
  expect([cwd, effort]).toEqual([join(box.workDir, 'docs'), 'high']);
  expect(items.find(({ type }) => type === 'commandExecution')).toMatchObject({
    output: `${join(box.workDir, 'docs')}\n`,
  });
  expect(model.requests.at(-1)).toMatchObject({ model: 'gpt-5.5', reasoning: { effort: 'high' } });
});

test.describe('on a phone', () => {
  test.use(PHONE);

  test('a message is edited in a fork, and the menu has model and directory', async ({
    page,
    server,
    model,
  }) => {
    model.answer([{ text: 'One.' }]);
    const session = await server.newSession('demo', { title: 'Talk' });
    await server.send(session, 'first');
    await server.idle(session);
    const view = await WorkspaceView.open(page, server, session);
    await edit(view, 'first').tap();
    await expect(view.message).toHaveValue('first');
    expect(sessionIn(page)).not.toBe(session);
    for (const [entry, label] of [
      ['Model and effort…', 'Reasoning effort'],
      ['Change the directory…', 'Directory'],
    ] as const) {
      await page.getByRole('button', { name: 'Session menu' }).tap();
      await page.getByRole('menuitem', { name: entry }).tap();
      await expect(page.getByRole('dialog').getByLabel(label, { exact: true })).toBeVisible();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).tap();
    }
  });
});
