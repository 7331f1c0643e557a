/** An agent starts others: they are shown in its conversation, ask in their own name, and are found after a crash. */
import { expect } from '@playwright/test';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import type { Step } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import { look } from '../support/look.ts';
import { begunBy, follow, never, spawn } from '../support/scripts.ts';
import { Inbox } from '../support/start-page.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.describe('with full access', () => {
  test.use({ toml: FULL_ACCESS });

  test('two work beside the one that has started them; each can be followed, opened alone and stopped', async ({
    page,
    server,
    model,
  }, info) => {
    const dug = new Gate();
    follow(model, {
      'Look into it.': [
        [{ text: 'Two of them will.' }, spawn('Dig in the log.'), spawn('Count the files, all of them.')],
        [{ text: 'They are at it.' }],
        [{ text: 'The log says why.' }],
      ],
      'Dig in the log.': [[{ text: 'Digging… ' }, { wait: dug.opened }, { text: 'found **it**.' }]],
      'Count the files, all of them.': [[{ text: 'One, two, ' }, never]],
    });
    const view = await WorkspaceView.open(page, server);
    await view.send('Look into it.');
    await expect(view.status).toHaveText('2 sub-agents work');
    const rows = view.conversation.locator('[data-item="subAgent"]');
    await expect(rows).toHaveCount(2);
    await expect(view.sessions.getByRole('tab')).toHaveCount(1);
    const digs = rows.filter({ hasText: 'Dig in the log.' });
    await digs.getByRole('button', { expanded: false }).click();
    const inside = digs.getByRole('region', { name: /^Conversation of / });
    await expect(inside).toContainText('Digging…');
    // its task is the line it is opened by, and what it was told first; from there nobody leaves it for a fork
    await expect(digs.getByText('Dig in the log.')).toHaveCount(2);
    await expect(inside.getByRole('button', { name: 'Edit in a fork' })).toHaveCount(0);
    await look(page, info, 'two-agents');

    dug.open();
    await expect(inside).toContainText('found it.');
    await expect(view.conversation).toContainText('The log says why.');
    await expect(view.status).toHaveText('1 sub-agent works');

    await page.getByRole('button', { name: '1 sub-agent works' }).click();
    const background = page.getByRole('dialog', { name: 'In the background' });
    await look(page, info, 'agents-in-the-background');
    await background.getByRole('link').click();
    await expect(page.getByRole('link', { name: 'Sub-agent of Look into it.' })).toBeVisible();
    await expect(view.conversation).toContainText('One, two,');
    await look(page, info, 'an-agent-alone');
    await view.stop.click();
    await expect(view.conversation).toContainText('Stopped');
    await page.getByRole('link', { name: 'Sub-agent of Look into it.' }).click();
    await expect(rows.filter({ hasText: 'Count the files' })).toContainText('failed');
    await expect(view.status).toHaveText('idle');
  });

  test('after kill -9 each is there as it was, and the one that slept is told', async ({
    page,
    box,
    start,
    model,
  }) => {
    follow(model, {
      go: [
        [spawn('dig'), spawn('count')],
        [{ text: 'They work.' }],
        [{ text: 'One has counted.' }],
        [{ text: 'A restart has cut the other.' }],
      ],
      dig: [[{ text: 'Digging' }, never]],
      count: [[{ text: 'Three.' }]],
    });
    const before = await start();
    const session = await before.newSession();
    await before.send(session, 'go');
    await before.until(session, ({ status, agents, items }) => {
      const told = items.some((item) => item.type === 'agentMessage' && item.text === 'One has counted.');
      return told && status === 'sleeping' && agents[0]?.status === 'running';
    });
    await before.kill('SIGKILL');

    const after = await box.start();
    const state = await after.until(session, ({ items, status }) => {
      const said = items.some((item) => item.type === 'agentMessage' && /restart/.test(item.text));
      return said && status === 'idle';
    });
    expect(state.agents.map(({ status }) => status)).toEqual(['failed', 'completed']);
    const view = await WorkspaceView.open(page, after, session);
    await expect(view.sessions.getByRole('tab')).toHaveCount(1);
    const cut = view.conversation.locator('[data-item="subAgent"]').filter({ hasText: 'failed' });
    await cut.getByRole('button', { expanded: false }).click();
    await expect(cut.getByRole('region')).toContainText(/dig.*The server was restarted/s);
    await after.kill();
  });
});

test('what an agent asks is answered in the page of the one that has started it, or in the inbox', async ({
  page,
  server,
  model,
}, info) => {
  const touch = (file: string): Step => ({ call: 'exec_command', args: { cmd: `touch ${file}` } });
  follow(model, {
    go: [[spawn('make the files')], [{ text: 'It makes them.' }], [{ text: 'They are there.' }]],
    'make the files': [[touch('one')], [touch('two')], [{ text: 'Both are made.' }]],
  });
  const view = await WorkspaceView.open(page, server);
  await view.send('go');
  const asks = page.getByRole('region', { name: / asks$/ });
  await expect(asks.getByRole('form', { name: 'Approval' })).toContainText('touch one');
  await expect(view.conversation.locator('[data-item="subAgent"]')).toContainText('waits for you');
  await look(page, info, 'an-agent-asks');
  await view.allowOnce();
  await expect(asks.getByRole('form', { name: 'Approval' })).toContainText('touch two');
  const name = (await asks.getByRole('heading', { level: 2 }).first().textContent())?.replace(' asks', '');
  const inbox = new Inbox(page);
  const approval = asks.getByRole('form', { name: 'Approval' });
  // whoever comes for it is led to it, from another page and from this one
  await page.getByRole('link', { name: 'All workspaces' }).click();
  await inbox.row('touch two').getByRole('link').click();
  await expect(approval).toBeFocused();
  await view.message.focus();
  await inbox.button.click();
  await inbox.panel.getByRole('listitem').getByRole('link').click();
  await expect(approval).toBeFocused();
  await inbox.button.click();
  await expect(inbox.row('touch two')).toContainText(`go · ${name}`);
  await inbox
    .row('touch two')
    .getByRole('button', { name: /^Allow once/ })
    .click();
  await page.keyboard.press('Escape');
  await expect(view.conversation).toContainText('They are there.');
  await expect(asks).toHaveCount(0);
});

test.describe('two deep', () => {
  test.use({ toml: '[agents]\nmax_depth = 2\n' });

  test('what the agent of an agent asks is answered above all of them, and none starts a third', async ({
    page,
    server,
    model,
  }) => {
    follow(model, {
      go: [[spawn('hand it on')], [{ text: 'It is at it.' }], [{ text: 'All is done.' }]],
      'hand it on': [[spawn('make it')], [{ text: 'Handed on.' }], [{ text: 'It is made.' }]],
      'make it': [
        [spawn('too deep')],
        [{ call: 'exec_command', args: { cmd: 'touch made' } }],
        [{ text: 'Made.' }],
      ],
    });
    const view = await WorkspaceView.open(page, server);
    await view.send('go');
    await expect(view.approval).toContainText('touch made');
    await expect(page.getByRole('region', { name: / asks$/ })).toHaveCount(1);
    const inbox = new Inbox(page);
    await view.message.focus();
    await inbox.button.click();
    await inbox.panel.getByRole('listitem').getByRole('link').click();
    await expect(view.approval).toBeFocused();
    // it lies in the conversation of the one that has started it, and that in this one
    const rows = view.conversation.locator('[data-item="subAgent"]');
    await rows.getByRole('button', { expanded: false }).click();
    const nested = rows.first().getByRole('region').locator('[data-item="subAgent"]');
    await expect(nested).toContainText('waits for you');
    await nested.getByRole('button', { expanded: false }).click();
    await expect(nested.getByRole('region')).toContainText('Calledspawn_agent');
    await view.allowOnce();
    await expect(view.conversation).toContainText('All is done.');
    expect(model.requests.map(begunBy)).not.toContain('too deep');
  });
});
