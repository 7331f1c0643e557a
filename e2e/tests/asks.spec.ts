/** O-F3: an ask waits for a person through reloads, is seen by all, and is answered once. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, expect, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { Gate } from '../support/gate.ts';
import type { Box, RunningServer } from '../support/server.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const command = { call: 'exec_command', args: { cmd: 'echo ran >> runs.txt' } };

/** How often the command ran, as it writes it down itself. */
function runs(box: Box): Promise<string> {
  return readFile(join(box.workDir, 'runs.txt'), 'utf8').catch(() => ''); // it did not
}

/** One session in two browsers that know nothing of each other. */
async function inTwoBrowsers(
  { page, browser, server }: { page: Page; browser: Browser; server: RunningServer },
  work: (here: WorkspaceView, there: WorkspaceView) => Promise<void>,
): Promise<void> {
  const session = await server.newSession();
  const here = await WorkspaceView.open(page, server, session);
  const other = await browser.newContext();
  try {
    await work(here, await WorkspaceView.open(await other.newPage(), server, session));
  } finally {
    await other.close();
  }
}

test('(1) an approval is there after a reload', async ({ page, server, model, box }) => {
  model.answer([command], [{ text: 'It ran.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('run it');
  await expect(view.approval).toContainText('echo ran >> runs.txt');
  await page.reload();
  await expect(view.approval).toContainText('echo ran >> runs.txt');
  await expect(view.status).toContainText('waiting for you');
  await view.allowOnce();
  await expect(view.conversation).toContainText('It ran.');
  expect(await runs(box)).toBe('ran\n');
});

test('(2) answered in one browser, it is gone from the other', async ({
  page,
  browser,
  server,
  model,
  box,
}) => {
  model.answer([command], [{ text: 'It ran.' }]);
  await inTwoBrowsers({ page, browser, server }, async (here, there) => {
    await here.send('run it');
    await expect(here.approval).toBeVisible();
    await there.allowOnce();
    await expect(here.approval).toHaveCount(0);
    await expect(here.conversation).toContainText('It ran.');
    await expect(here.page.getByRole('alert').filter({ hasText: 'Not answered' })).toHaveCount(0);
  });
  expect(await runs(box)).toBe('ran\n');
});

test('(3) two answers at once: one counts, the other is told', async ({
  page,
  browser,
  server,
  model,
  box,
}) => {
  model.answer([command], [{ text: 'Next.' }]);
  await inTwoBrowsers({ page, browser, server }, async (here, there) => {
    await here.send('run it');
    const bothGiven = new Gate();
    let given = 0;
    for (const view of [here, there])
      await view.page.route('**/asks/*', async (route) => {
        given += 1;
        if (given === 2) bothGiven.open();
        await bothGiven.opened;
        await route.continue();
      });
    await here.allowOnce();
    await there.approval.getByRole('button', { name: 'Decline', exact: true }).click();

    for (const view of [here, there]) {
      await expect(view.approval).toHaveCount(0);
      await expect(view.conversation).toContainText('Next.');
      await expect(view.status).toHaveText('idle');
    }
    const told = (view: WorkspaceView) => view.page.getByText('Not answered: This was already answered.');
    await expect(async () =>
      expect((await told(here).count()) + (await told(there).count())).toBe(1),
    ).toPass();
    const allowed = (await told(there).count()) === 1;
    expect(await runs(box)).toBe(allowed ? 'ran\n' : '');
    for (const { conversation } of [here, there])
      await expect(conversation.getByRole('button', { name: /(Ran|Did not run) echo/ })).toContainText(
        allowed ? 'Ran' : 'Did not run',
      );
  });
});

test('(4) Stop withdraws it, and nothing runs', async ({ page, browser, server, model, box }) => {
  model.answer([command]);
  await inTwoBrowsers({ page, browser, server }, async (here, there) => {
    await here.send('run it');
    await expect(there.approval).toBeVisible();
    const stopped = new Gate();
    await there.page.route('**/asks/*', async (route) => {
      await stopped.opened;
      await route.continue();
    });
    await there.allowOnce();
    await here.stop.click();
    await expect(here.status).toHaveText('idle');
    await expect(here.approval).toHaveCount(0);
    stopped.open();
    await expect(there.page.getByText('Not answered: This was already withdrawn.')).toBeVisible();
    await expect(there.approval).toHaveCount(0);
  });
  expect(await runs(box)).toBe('');
});

test('allowed for the session, the same command does not ask again', async ({ page, server, model, box }) => {
  model.answer([command], [command], [{ text: 'Twice.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('run it twice');
  await view.approval.getByRole('button', { name: 'Allow for this session' }).click();
  await expect(view.conversation).toContainText('Twice.');
  expect(await runs(box)).toBe('ran\nran\n');
});

test('a question takes an option, one’s own words, or what is typed below', async ({
  page,
  server,
  model,
}) => {
  const options = [
    { label: 'Small', description: 'fits anywhere' },
    { label: 'Large', description: 'needs room' },
  ];
  const ask = { call: 'request_user_input', args: { questions: [question('Which size?', options)] } };
  model.answer([ask], [ask], [ask], [{ text: 'Thanks.' }]);
  const view = await WorkspaceView.open(page, server);
  const answer = () => JSON.stringify(model.requests.at(-1)?.input.at(-1));
  await view.send('ask me');

  await view.question.getByRole('radio', { name: /Large/ }).check();
  await view.question.getByRole('button', { name: 'Submit' }).click();
  await expect.poll(answer).toContain('Large');

  await expect(view.question.getByRole('radio', { name: /Large/ })).not.toBeChecked();
  await view.question.getByRole('radio', { name: 'Something else' }).check();
  await view.question.getByRole('textbox').fill('medium, please');
  await view.question.getByRole('textbox').press('Enter');
  await expect.poll(answer).toContain('medium, please');

  // only then is the question below the next one
  await expect(view.conversation).toContainText('medium, please');
  await expect(view.message).toHaveAttribute('placeholder', 'Answer: Which size?');
  await view.send('tiny');
  await expect(view.conversation).toContainText('Thanks.');
  expect(answer()).toContain('tiny');
  await expect(view.status).toHaveText('idle');
});

function question(text: string, options: object[]) {
  return { id: 'size', header: 'Size', question: text, options };
}
