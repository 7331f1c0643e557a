/** All sessions: found by title and by what was said, opened, put away and brought back. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { AllSessions, catalogued } from '../support/all-sessions.ts';
import { test } from '../support/browser-stage.ts';
import { writeCodexSession } from '../support/codex-session.ts';
import { look } from '../support/look.ts';
import type { RunningServer } from '../support/server.ts';
import { StartPage } from '../support/start-page.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

/** A session in which something was said, without a tab. */
async function past(server: RunningServer, title: string, said: string): Promise<string> {
  const session = await server.newSession('demo', { title });
  await server.send(session, said);
  await server.idle(session);
  await server.api('DELETE', `api/sessions/${session}`);
  return session;
}

const tab = (view: WorkspaceView, title: string) => view.sessions.getByRole('tab', { name: title });

test('a phrase is found in what was said, and opens there, by keyboard alone', async ({
  page,
  server,
  model,
}) => {
  model.answer([{ text: '我们把中文分词的解析器修好了，现在每行只读一次。' }]);
  const found = await past(server, 'Lexer', 'why is it slow?');
  model.answer([{ text: 'Something else.' }]);
  await past(server, 'Other', 'hello');
  await catalogued(server, 2);
  const view = await WorkspaceView.open(page, server);
  await page.keyboard.press('Control+k');
  const all = new AllSessions(page);
  await expect(all.lines).toHaveText([/Other/, /Lexer/]);
  await all.field.fill('解析器修好了');
  await expect(page.locator('mark')).toHaveText('解析器修好了');
  await expect(all.lines).toHaveCount(2);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(new URL(page.url()).search).toMatch(new RegExp(`^\\?session=${found}&item=.`));
  await expect(view.conversation).toContainText('每行只读一次');
  await expect(tab(view, 'Lexer')).toHaveAttribute('aria-selected', 'true');
});

test('what is archived or deleted can be brought back, from the list and from the session itself', async ({
  page,
  server,
  model,
}) => {
  for (const _ of ['Keep', 'Throw away']) model.answer([{ text: 'Done.' }]);
  await past(server, 'Keep', 'a');
  await past(server, 'Throw away', 'b');
  await catalogued(server, 2);
  const view = await WorkspaceView.open(page, server);
  let all = await AllSessions.open(page);
  await all.choose('Keep', 'Archive');
  await expect(all.line('Keep')).toContainText('archived');
  await all.choose('Throw away', 'Delete');
  await expect(all.line('Throw away')).toHaveText('Deleted “Throw away”Undo');
  await all.line('Throw away').getByRole('button', { name: 'Undo' }).click();
  await expect(all.line('Throw away')).toContainText('tscodex');

  // an archived one comes out of the archive as it is opened
  await page.getByRole('button', { name: 'Archived' }).click();
  await all.line('Keep').click();
  await expect(tab(view, 'Keep')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Session menu' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(tab(view, 'Keep')).toHaveCount(0);
  const note = page.getByRole('status').filter({ hasText: 'Deleted “Keep”' });
  await note.getByRole('button', { name: 'Undo' }).click();
  await expect(tab(view, 'Keep')).toHaveAttribute('aria-selected', 'true');
  await expect(view.conversation).toContainText('Done.');
  all = await AllSessions.open(page);
  await expect(all.lines).toHaveCount(2);
  await expect(all.line('Keep')).toContainText('open');
});

test('a session of the Codex CLI is opened and gone on with', async ({ page, server, model, box }) => {
  await writeCodexSession(box.codexHome, join(box.workDir, 'gone'), ['Count the lines', 'There are 42.']);
  await catalogued(server, 1);
  const view = await WorkspaceView.open(page, server);
  const all = await AllSessions.open(page);
  await expect(all.lines).toHaveText([/Count the lines.*Codex/]);
  await all.lines.click();
  await expect(view.conversation).toContainText('There are 42.');
  model.answer([{ text: 'Still 42.' }]);
  await view.send('And now?');
  await expect(view.conversation).toContainText('Still 42.');
});

test('the list and what is found look right', async ({ page, server, model, box }, info) => {
  model.answer([{ text: 'The **parser** reads each line twice; it should read the index. '.repeat(5) }]);
  await past(server, 'Why the parser is slow', 'Have a look at the parser');
  await writeCodexSession(box.codexHome, `/srv/${'deep/'.repeat(30)}`, [
    '解析器 parser 怎么了？',
    'Nothing.',
  ]);
  await catalogued(server, 2);
  await WorkspaceView.open(page, server);
  const all = await AllSessions.open(page);
  await expect(all.lines).toHaveCount(2);
  await look(page, info, 'list');
  await all.field.fill('parser');
  await page.locator('mark').first().waitFor();
  await look(page, info, 'found');
});

test('from the start page a session opens in its workspace; of one that has none it is asked which', async ({
  page,
  server,
  model,
  box,
}) => {
  await mkdir(join(box.dir, 'lab'));
  await writeFile(
    box.configPath,
    JSON.stringify({
      workspaces: [
        { id: 'demo', work_dir: box.workDir },
        { id: 'lab', name: 'The lab', work_dir: 'lab' },
      ],
    }),
  );
  model.answer([{ text: 'Done.' }]);
  await past(server, 'At home', 'hello');
  await writeCodexSession(box.codexHome, '/srv/nowhere', ['Count the lines', 'There are 42.']);
  await catalogued(server, 2);
  const start = await StartPage.open(page, server);
  await expect(start.names).toHaveCount(2);
  await page.keyboard.press('Control+k');
  const all = new AllSessions(page);
  await all.field.fill('42');
  await expect(page.locator('mark')).toHaveText('42');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByText('It was made outside of every workspace. Open it in:')).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/w\/lab\/\?session=.*&item=/);
  const view = new WorkspaceView(page);
  await expect(view.conversation).toContainText('There are 42.');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.goBack();
  await start.add.waitFor();
  await (await AllSessions.open(page)).line('At home').click();
  await expect(page).toHaveURL(/\/w\/demo\/\?session=/);
  await expect(view.conversation).toContainText('Done.');
});

test('a reload leaves the list open with what stands in it; what is chosen closes it', async ({
  page,
  server,
  model,
}) => {
  model.answer([{ text: 'The answer is 42.' }]);
  await past(server, 'Numbers', 'what is it?');
  await catalogued(server, 1);
  const view = await WorkspaceView.open(page, server);
  const all = await AllSessions.open(page);
  await all.field.fill('answer');
  await expect(page.locator('mark')).toHaveText('answer');
  await page.reload();
  await expect(all.field).toHaveValue('answer');
  await page.locator('mark').click();
  await expect(view.conversation).toContainText('The answer is 42.');
  await page.reload();
  await expect(view.conversation).toContainText('The answer is 42.');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
