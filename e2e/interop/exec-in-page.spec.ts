/** A session on codex exec as people see it: how it is chosen, and what it does not do, each with the reason. */
import { expect } from '@playwright/test';
import { Gate } from '../support/gate.ts';
import { look } from '../support/look.ts';
import { WorkspaceView } from '../support/workspace-view.ts';
import { test } from './codex-stage.ts';

test('codex exec is chosen for a new session; what it cannot do is greyed with the reason', async ({
  model,
  page,
  serveWithCodex,
}, info) => {
  const server = await serveWithCodex();
  const view = await WorkspaceView.open(page, server, await server.newSession('demo', {}));
  await page.getByRole('button', { name: 'Choose model and directory…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New session' });
  const agent = dialog.getByLabel('Agent');
  await expect(agent.getByRole('option')).toHaveText([
    'tscodex, with the model below',
    'Codex, as it is installed on the server · 0.171.0',
    'Codex, one process a turn (codex exec) · 0.171.0',
  ]);
  await agent.selectOption('codex-exec');
  await expect(agent).toHaveAccessibleDescription(/It asks nobody/);
  await look(page, info, 'choice');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(dialog).toBeHidden();

  const gate = new Gate();
  model.answer([{ text: 'Slowly' }, { wait: gate.opened }], [{ text: 'Then this.' }]);
  await view.send('begin');
  const steer = page.getByRole('button', { name: 'Steer' });
  await expect(steer).toHaveAttribute('aria-disabled', 'true');
  await expect(steer).toHaveAccessibleDescription(/messages wait for its end/);
  await expect(page.getByRole('button', { name: 'Queue', exact: true })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await view.send('and then');
  await expect(page.getByRole('group', { name: 'Waiting: queue' })).toContainText('and then');
  await look(page, info, 'running');
  gate.open();
  await expect(view.conversation).toContainText('Then this.');

  await page.getByRole('button', { name: 'Context and usage' }).click();
  const compact = page.getByRole('button', { name: 'Compact now' });
  await expect(compact).toHaveAttribute('aria-disabled', 'true');
  await expect(compact).toHaveAccessibleDescription(/Codex does it by itself/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Permissions/ }).click();
  await expect(page.getByRole('group', { name: 'Approvals' })).toContainText('never asks');
  await look(page, info, 'permissions');
});
