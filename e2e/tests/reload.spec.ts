/** A page that is loaded again, or watched twice, shows every text once. */
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import { type Step, slowly } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const words = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `w${from + i} `).join('');
const plan: Step = { call: 'update_plan', args: { plan: [{ step: 'count', status: 'in_progress' }] } };

function counted(page: Page) {
  return page.getByRole('log', { name: 'Conversation' }).getByRole('paragraph').filter({ hasText: /^w\d/ });
}

test('a reload in the middle of a stream', async ({ page, server, model }) => {
  model.answer([...slowly(words(1, 100), 20), plan], slowly(words(101, 200), 20));
  const view = await WorkspaceView.open(page, server);
  await view.send('count');
  for (const seen of ['w50', 'w120']) {
    await expect(view.conversation).toContainText(seen);
    await page.reload();
    await expect(counted(page).first()).toContainText('w1 w2 w3');
  }
  await expect(view.status).toHaveText('idle');
  await expect(counted(page)).toHaveText([words(1, 100).trim(), words(101, 200).trim()]);
  await expect(view.conversation.getByRole('heading', { name: /^Plan/ })).toHaveCount(1);
});

test('Q5: what had been written before the reload is there at once', async ({ page, server, model }) => {
  const gate = new Gate();
  model.answer([{ text: words(1, 50) }, { wait: gate.opened }, { text: words(51, 100) }]);
  const view = await WorkspaceView.open(page, server);
  await view.send('count');
  await expect(counted(page)).toHaveText(words(1, 50).trim());
  await page.reload();
  await expect(counted(page)).toHaveText(words(1, 50).trim());
  await expect(view.status).toContainText('working');
  gate.open();
  await expect(counted(page)).toHaveText(words(1, 100).trim());
});

test('two browsers agree, whoever writes', async ({ page, browser, server, model }) => {
  model.answer(slowly(words(1, 60)), [plan, { text: 'Planned.' }], slowly('It is **done**: $x^2$.'));
  const session = await server.newSession();
  const here = await WorkspaceView.open(page, server, session);
  const other = await browser.newContext();
  try {
    const there = await WorkspaceView.open(await other.newPage(), server, session);
    await here.send('count');
    await expect(there.conversation).toContainText('w10');
    await there.send('and plan');
    await expect(here.conversation).toContainText(/Planned\.|done/);
    await expect(here.conversation).toContainText('done');
    for (const { status, conversation } of [here, there]) {
      await expect(status).toHaveText('idle');
      await expect(conversation.locator('.katex')).toBeVisible();
    }
    expect(await there.conversation.textContent()).toBe(await here.conversation.textContent());
  } finally {
    await other.close();
  }
});
