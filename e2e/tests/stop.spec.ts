/** Stop means stopped: what runs has ended when the page says so. */
import { expect } from '@playwright/test';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import { processes, uniqueSeconds } from '../support/processes.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use({ toml: FULL_ACCESS });

test('a command that does not want to end', async ({ page, server, model }) => {
  const sleep = `sleep ${uniqueSeconds()}`;
  model.answer([{ call: 'exec_command', args: { cmd: `trap "" TERM; ${sleep} & wait; wait` } }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('run it');
  await expect.poll(() => processes(sleep)).toHaveLength(1);
  await view.stop.click();
  await expect(view.status).toHaveText(/^stopping/i);
  await expect(view.status).toHaveText('idle');
  expect(processes(sleep)).toEqual([]);
  await expect(view.stop).toHaveCount(0);
  await expect(view.conversation.getByRole('button', { name: /interrupted/ })).toBeVisible();

  await view.send('and now');
  await expect(view.conversation).toContainText('OK.');
});

test('a stream: what was written stays, and the session goes on', async ({ page, server, model }) => {
  model.answer([{ text: 'Once upon a time' }, { wait: new Promise(() => undefined) }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('tell me a story');
  await expect(view.conversation).toContainText('Once upon a time');
  await view.stop.click();
  await expect(view.status).toHaveText('idle');
  await expect(view.conversation).toContainText('Once upon a time');

  await view.send('another one');
  await expect(view.conversation).toContainText('OK.');
  expect(model.requests).toHaveLength(2);
});
