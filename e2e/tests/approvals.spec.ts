/** What people may allow beyond the sandbox, for how long, and how they see and take it back. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { test as browserTest } from '../support/browser-stage.ts';
import { lastOutput } from '../support/conversation.ts';
import type { FakeModel } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import { Person } from '../support/person.ts';
import { processes, uniqueSeconds } from '../support/processes.ts';
import type { Box } from '../support/server.ts';
import { callYourself, StartPage } from '../support/start-page.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

/** `outside`: a directory that no sandbox lets commands write in. */
const test = browserTest.extend<{ outside: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it what this depends on
  outside: async ({}, use) => {
    const dir = await mkdtemp('/var/tmp/tscodex-outside-');
    await use(dir);
    await rm(dir, { recursive: true });
  },
});

/** A call that asks to run without the sandbox. */
const escalated = (cmd: string, more: object = {}) => ({
  call: 'exec_command',
  args: { cmd, sandbox_permissions: 'require_escalated', justification: 'It belongs there.', ...more },
});

function text(...path: string[]): Promise<string> {
  return readFile(join(...path), 'utf8').catch(() => ''); // nothing was written
}

const savedRules = (box: Box) => text(box.codexHome, 'rules', 'default.rules');

/** What the model was told of its call. */
const told = (model: FakeModel) => lastOutput(model.requests.at(-1));

async function openRules(page: Page) {
  await page.getByRole('button', { name: /^You/ }).first().click();
  await page.getByRole('button', { name: 'Rules…' }).click();
  return page.getByRole('dialog', { name: 'Rules', exact: true });
}

test.describe('on a machine that confines', () => {
  test.use({ confined: true });

  test('allowed once: it runs outside the sandbox, says so, and asks again', async ({
    page,
    server,
    model,
    outside,
  }) => {
    const write = escalated(`echo ran >> ${outside}/runs`);
    model.answer([write], [write], [{ text: 'Enough.' }]);
    const view = await WorkspaceView.open(page, server);
    await callYourself(page, 'Ada');
    await view.send('write there');
    await expect(view.approval.getByRole('heading')).toHaveText('Run this command outside the sandbox?');
    for (const fact of ['It belongs there.', 'Outside the sandbox', 'otherwise held in: workspace-write'])
      await expect(view.approval).toContainText(fact);
    await view.allowOnce();
    await expect(view.conversation.getByRole('button', { name: /^succeeded Ran/ })).toContainText(
      'outside the sandbox · allowed by Ada',
    );
    await expect(view.approval).toBeVisible();
    expect(await text(outside, 'runs')).toBe('ran\n');
    await view.approval.getByRole('button', { name: 'Decline', exact: true }).click();
    await expect(view.conversation).toContainText('Enough.');
    expect(await text(outside, 'runs')).toBe('ran\n');
  });

  test('allowed for the session: the same does not ask again until somebody takes it back', async ({
    page,
    browser,
    server,
    model,
    outside,
  }) => {
    const write = escalated(`echo ran >> ${outside}/runs`);
    model.answer(
      [write],
      [write],
      [escalated(`echo other >> ${outside}/runs`)],
      [{ text: 'Done.' }],
      [write],
    );
    const view = await WorkspaceView.open(page, server);
    await callYourself(page, 'Ada');
    await view.send('write there');
    await view.approval.getByRole('button', { name: 'Allow for this session' }).click();
    await expect(view.approval).toContainText('echo other');
    expect(await text(outside, 'runs')).toBe('ran\nran\n');
    await view.approval.getByRole('button', { name: 'Decline', exact: true }).click();
    await expect(view.conversation).toContainText('Done.');
    await expect(view.conversation.getByRole('button', { name: /^succeeded Ran/ })).toContainText(
      Array(2).fill('outside the sandbox · allowed for this session by Ada'),
    );

    const list = (of: Page) => of.getByRole('region', { name: 'Allowed for this session' });
    await page.getByRole('button', { name: /^Permissions:/ }).click();
    await expect(list(page).getByRole('listitem')).toContainText([`echo ran >> ${outside}/runs`]);
    await expect(list(page)).toContainText('outside the sandbox');
    const session = new URL(page.url()).searchParams.get('session') ?? '';
    const ben = await Person.at(browser, server, session, 'Ben');
    await ben.page.getByRole('button', { name: /^Permissions:/ }).click();
    await list(ben.page)
      .getByRole('button', { name: /^Take back/ })
      .click();
    await expect(list(ben.page)).toHaveCount(0);
    // whoever else looks at it sees it go
    await expect(list(page)).toHaveCount(0);
    await expect(view.conversation).toContainText(
      'Ben took back what was allowed for this session: echo ran',
    );
    await ben.leave();

    await view.send('once more');
    await expect(view.approval).toContainText('echo ran');
    expect(await text(outside, 'runs')).toBe('ran\nran\n');
  });

  test('allowed by an edited rule: a refusal loses nothing, the rule is honoured, listed and revoked', async ({
    page,
    server,
    model,
    box,
    outside,
  }) => {
    const make = (name: string) => escalated(`mkdir -p ${outside}/${name}`, { prefix_rule: ['mkdir', '-p'] });
    model.answer(
      [make('a')],
      [make('a')],
      [make('b')],
      [{ text: 'Made.' }],
      [make('a')],
      [{ text: 'Again.' }],
    );
    const view = await WorkspaceView.open(page, server);
    await callYourself(page, 'Ada');
    await view.send('make it');
    await view.approval.waitFor();
    // a key counts once there was time to read
    await expect(async () => {
      await view.approval.press('4');
      await expect(view.approval.getByRole('textbox')).toBeFocused({ timeout: 500 });
    }).toPass();
    const rule = view.approval.getByRole('textbox', { name: 'Commands that begin with' });
    await rule.fill('chmod 777');
    await rule.press('Enter');
    await expect(view.approval.getByRole('alert')).toBeVisible();
    await expect(rule).toHaveValue('chmod 777');
    await rule.fill(`mkdir -p ${outside}/a`);
    await rule.press('Enter');

    // the second of it did not ask, what begins otherwise does
    await expect(view.approval).toContainText(`${outside}/b`);
    await expect(view.conversation).toContainText(`allowed for good by Ada: mkdir -p ${outside}/a`);
    expect(await savedRules(box)).toContain(
      `prefix_rule(pattern=["mkdir", "-p", "${outside}/a"], decision="allow")`,
    );
    await view.approval.getByRole('button', { name: 'Decline', exact: true }).click();
    await expect(view.conversation).toContainText('Made.');

    const rules = await openRules(page);
    const listed = rules.getByRole('list', { name: 'Rules' }).getByRole('listitem');
    await expect(listed).toContainText([`mkdir -p ${outside}/a`]);
    await expect(listed).toContainText(['runs without asking']);
    await expect(listed).toContainText(['made by Ada']);
    await listed.getByRole('button', { name: /^Revoke/ }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Revoke', exact: true }).click();
    await expect(rules).toContainText('No rules yet');
    expect(await savedRules(box)).not.toContain('mkdir');
    await rules.getByRole('button', { name: 'Close' }).click();
    await view.send('once more');
    await expect(view.approval).toContainText(`${outside}/a`);
  });

  test('the inbox says what one has to know to decide there', async ({ page, server, model, outside }) => {
    model.answer([escalated(`rm -rf ${outside}/x`)], [{ text: 'Gone.' }]);
    const session = await server.newSession();
    await server.send(session, 'clean up');
    await server.until(session, ({ asks }) => asks.length > 0);
    const { inbox } = await StartPage.open(page, server);
    for (const fact of ['outside the sandbox?', 'Outside the sandbox', 'It deletes by force'])
      await expect(inbox.rows).toContainText(fact);
    await inbox.rows.getByRole('button', { name: /^Allow once/ }).click();
    await expect(inbox.rows).toContainText('You allowed it');
    await server.idle(session);
  });

  test('declined with a reason, which the model then reads', async ({ page, server, model, outside }) => {
    model.answer([escalated(`touch ${outside}/x`)], [{ text: 'I see.' }]);
    const view = await WorkspaceView.open(page, server);
    await view.send('write there');
    await view.approval.getByRole('button', { name: 'Decline and say why…' }).click();
    await view.approval.getByRole('textbox').fill('Write it into notes.txt instead.');
    await view.approval.getByRole('textbox').press('Enter');
    await expect(view.conversation).toContainText('I see.');
    expect(told(model)).toContain('Write it into notes.txt instead.');
  });

  test('declined and stopped: the turn ends, and the model is not asked again', async ({
    page,
    server,
    model,
    outside,
  }) => {
    model.answer([escalated(`touch ${outside}/x`)]);
    const view = await WorkspaceView.open(page, server);
    await callYourself(page, 'Ada');
    await view.send('write there');
    await view.approval.getByRole('button', { name: 'Decline and stop' }).click();
    await expect(view.status).toHaveText('idle');
    await expect(view.approval).toHaveCount(0);
    await expect(view.conversation.getByRole('button', { name: /Did not run touch/ })).toContainText(
      'declined and stopped by Ada',
    );
    expect(model.requests).toHaveLength(1);
  });

  test('two browsers at once, one for good and one against it: one counts, and the other is told whose', async ({
    page,
    browser,
    server,
    model,
    box,
    outside,
  }) => {
    model.answer([escalated(`mkdir -p ${outside}/a`, { prefix_rule: ['mkdir', '-p'] })], [{ text: 'Next.' }]);
    const session = await server.newSession();
    const ada = await WorkspaceView.open(page, server, session);
    await callYourself(page, 'Ada');
    const other = await browser.newContext();
    try {
      const ben = await WorkspaceView.open(await other.newPage(), server, session);
      await callYourself(ben.page, 'Ben');
      await ada.send('make it');
      await ada.approval.getByRole('button', { name: 'Always allow…' }).click();
      await expect(ben.approval).toBeVisible();
      const both = new Gate();
      let given = 0;
      for (const view of [ada, ben])
        await view.page.route('**/asks/*', async (route) => {
          given += 1;
          if (given === 2) both.open();
          await both.opened;
          await route.continue();
        });
      await ada.approval.getByRole('textbox').press('Enter');
      await ben.approval.getByRole('button', { name: 'Decline', exact: true }).click();
      for (const view of [ada, ben]) {
        await expect(view.approval).toHaveCount(0);
        await expect(view.conversation).toContainText('Next.');
      }
      const tooLate = /Already allowed for good by Ada\.|Already declined by Ben\./;
      const alerts = [ada, ben].map((view) => view.page.getByRole('alert').filter({ hasText: tooLate }));
      await expect(async () => {
        const counts = await Promise.all(alerts.map((one) => one.count()));
        expect(counts.toSorted()).toEqual([0, 1]);
      }).toPass();
      const adaWon = (await alerts[1]?.count()) === 1;
      expect((await savedRules(box)).includes('mkdir')).toBe(adaWon);
    } finally {
      await other.close();
    }
  });

  test('an approval outlives a restart, with the rule as far as it was edited', async ({
    page,
    server,
    start,
    model,
    outside,
  }) => {
    model.answer([escalated(`mkdir -p ${outside}/a`, { prefix_rule: ['mkdir', '-p'] })], [{ text: 'Made.' }]);
    const session = await server.newSession();
    const view = await WorkspaceView.open(page, server, session);
    await view.send('make it');
    await view.approval.getByRole('button', { name: 'Always allow…' }).click();
    await view.approval.getByRole('textbox').fill(`mkdir -p ${outside}`);
    await server.kill();
    const lost = page.getByText('Connection lost. Trying again');
    await expect(lost).toBeVisible();
    await start('--listen', new URL(server.url).host);
    await expect(lost).toHaveCount(0);
    await page.reload();
    const rule = view.approval.getByRole('textbox', { name: 'Commands that begin with' });
    await expect(rule).toHaveValue(`mkdir -p ${outside}`);
    await rule.fill(`mkdir -p ${outside}/a`);
    await rule.press('Enter');
    await expect(view.conversation).toContainText('Made.');
  });

  test('what commands may do is seen and chosen, and a refusal is told', async ({
    page,
    server,
    model,
    box,
  }) => {
    const write = { call: 'exec_command', args: { cmd: 'echo ran >> here.txt' } };
    model.answer([write], [{ text: 'First.' }], [write], [{ text: 'Second.' }]);
    const view = await WorkspaceView.open(page, server);
    await view.send('write');
    await expect(view.conversation).toContainText('First.');
    expect(await text(box.workDir, 'here.txt')).toBe('ran\n');

    const chip = page.getByRole('button', { name: /^Permissions:/ });
    await expect(chip).toHaveAccessibleName('Permissions: confined: workspace-write');
    // by keyboard alone
    await chip.press('Enter');
    const panel = page.getByRole('dialog', { name: 'What commands may do' });
    await expect(panel).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(panel.getByRole('radio', { name: /^As the workspace Now: Workspace/ })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(panel.getByRole('radio', { name: /^Read only/ })).toBeChecked();
    await expect(chip).toHaveAccessibleName('Permissions: confined: read-only');
    await panel.getByRole('radio', { name: /^Never/ }).check();
    await expect(panel.getByRole('status')).toContainText('Nobody is asked');
    // only the configuration may say both
    await panel.getByRole('radio', { name: /^Full access/ }).click();
    await expect(panel.getByRole('alert')).toContainText('Not changed.');
    await expect(panel.getByRole('radio', { name: /^Read only/ })).toBeChecked();
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    await expect(chip).toBeFocused();

    await view.send('write again');
    await expect(view.conversation).toContainText('Second.');
    expect(await text(box.workDir, 'here.txt')).toBe('ran\n');
  });

  test('a workspace’s own settings are for its sessions, and go back to the server’s', async ({
    page,
    server,
    box,
  }) => {
    const session = await server.newSession();
    const start = await StartPage.open(page, server);
    const choose = async (value: string) => {
      await start.choose('demo', 'Edit…');
      const summary = start.dialog.getByText('What commands may do');
      const sandbox = start.dialog.getByLabel('Sandbox');
      if (!(await sandbox.isVisible())) await summary.click();
      await sandbox.selectOption(value);
      await start.dialog.getByRole('button', { name: 'Save' }).click();
      await expect(start.dialog).toHaveCount(0);
    };
    await choose('Read only');
    expect(JSON.parse(await text(box.configPath)).workspaces[0].sandbox).toBe('read-only');
    await server.until(session, ({ sandboxMode }) => sandboxMode === 'read-only');
    await choose('As the server’s configuration');
    expect(JSON.parse(await text(box.configPath)).workspaces[0].sandbox).toBeUndefined();
    await server.until(session, ({ sandboxMode }) => sandboxMode === 'workspace-write');
  });

  test('a command that outlived its turn is listed, and ends by its own Stop', async ({
    page,
    server,
    model,
  }) => {
    const sleep = `sleep ${uniqueSeconds()}`;
    model.answer(
      [{ call: 'exec_command', args: { cmd: sleep, yield_time_ms: 250 } }],
      [{ text: 'It runs.' }],
    );
    const view = await WorkspaceView.open(page, server);
    await view.send('start it');
    await expect(view.conversation).toContainText('It runs.');
    await page.getByRole('button', { name: '1 command runs in the background' }).click();
    await page
      .getByRole('dialog', { name: 'In the background' })
      .getByRole('button', { name: `Stop: ${sleep}` })
      .click();
    await expect(page.getByRole('button', { name: /in the background$/ })).toHaveCount(0);
    expect(processes(sleep)).toEqual([]);
  });
});

test('on a machine without user namespaces it says so, with what mends it, and every command asks', async ({
  page,
  server,
  model,
}) => {
  model.answer([{ call: 'exec_command', args: { cmd: 'echo hello' } }], [{ text: 'Done.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('say hello');
  await expect(view.approval).toContainText('Not confined');
  await page.getByRole('button', { name: 'Permissions: not confined' }).click();
  const panel = page.getByRole('dialog', { name: 'What commands may do' });
  await expect(panel).toContainText('This machine cannot confine commands');
  await expect(panel).toContainText('sudo apt install bubblewrap');
  await expect(panel.getByRole('button', { name: 'Copy' })).toBeVisible();
  await page.keyboard.press('Escape');
  await view.allowOnce();
  await expect(view.conversation).toContainText('Done.');
});

test.describe('where the configuration asks nobody and confines nothing', () => {
  test.use({ toml: 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n' });

  test('a red line says so, and stays', async ({ page, server, model }) => {
    model.answer([{ call: 'exec_command', args: { cmd: 'echo hello' } }], [{ text: 'Done.' }]);
    const view = await WorkspaceView.open(page, server);
    await view.send('say hello');
    await expect(view.conversation).toContainText('Done.');
    await expect(page.getByText('Commands run without asking and without confinement')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Permissions: full access' })).toBeVisible();
  });
});
