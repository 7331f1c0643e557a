/** Writing while the agent works: what waits, in which order it is read, what can still be taken back. */

import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import type { ModelRequest } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

/** What people said, as the model was shown it; what the program adds comes in tags. */
function said(request: ModelRequest | undefined): string[] {
  const messages = (request?.input ?? []).filter(({ role }) => role === 'user');
  const texts = messages.flatMap(({ content }) => (content as { text: string }[]).map(({ text }) => text));
  return texts.filter((text) => !text.startsWith('<'));
}

const plan = { call: 'update_plan', args: { plan: [{ step: 'work', status: 'in_progress' }] } };

test('Q16: steers join the turn, the queue waits for its end', async ({ page, server, model }) => {
  const gate = new Gate();
  model.answer(
    [{ text: 'Working.' }, { wait: gate.opened }, plan],
    [{ text: 'Turned.' }],
    [{ text: 'Next in line.' }],
  );
  const view = await WorkspaceView.open(page, server);
  await view.send('start');
  await expect(view.conversation).toContainText('Working.');

  await view.send('left');
  await view.send('then right');
  await view.choose('Queue');
  await view.send('first in line');
  await view.send('never mind');
  const steers = view.waiting('steer');
  const queue = view.waiting('queue');
  await expect(steers.getByRole('button', { name: /^Remove/ })).toHaveCount(2);
  await expect(steers).toContainText(/left.*then right/);
  await expect(queue).toContainText(/first in line.*never mind/);

  await queue.getByRole('button', { name: 'Remove “never mind”' }).click();
  await expect(queue).not.toContainText('never mind');
  await view.message.fill('half a thought');
  await page.reload();
  await expect(view.message).toHaveValue('half a thought');
  await expect(steers).toContainText(/left.*then right/);
  await expect(queue).toContainText('first in line');

  gate.open();
  await expect(view.conversation).toContainText('Next in line.');
  await expect(view.status).toHaveText('idle');
  await expect(steers).toHaveCount(0);
  await expect(queue).toHaveCount(0);
  expect(model.requests.map(said)).toEqual([
    ['start'],
    ['start', 'left', 'then right'],
    ['start', 'left', 'then right', 'first in line'],
  ]);
  await expect(view.conversation).toContainText(
    /start.*Working\..*left.*then right.*Turned\..*first in line.*Next in line\./s,
  );
  await expect(view.conversation).not.toContainText('never mind');
  await expect(view.message).toHaveValue('half a thought');
});

test('a long waiting message is cut short and shown whole while it is pointed at', async ({
  page,
  server,
  model,
}) => {
  const gate = new Gate();
  model.answer([{ text: 'Working.' }, { wait: gate.opened }], [{ text: 'Read.' }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('start');
  await expect(view.conversation).toContainText('Working.');
  const long = `${'word after word '.repeat(30)}and an end`;
  await view.send(long);
  const capsule = view.waiting('steer').getByText(/^word after word/);
  const { width } = (await capsule.boundingBox()) ?? { width: 0 };
  expect(width).toBeLessThan(400);
  await capsule.hover();
  await expect(page.getByText(long, { exact: true }).last()).toBeInViewport({ ratio: 1 });
  gate.open();
  await expect(view.conversation).toContainText('Read.');
});
