/** What a session has used and how much room is left, and how making room looks. */
import { expect, type Page } from '@playwright/test';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import type { Step } from '../support/fake-model.ts';
import { look } from '../support/look.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

// pictures and axe take their time
test.describe.configure({ timeout: 300_000 });

const WINDOW = 'model_context_window = 200000\n';
const PRICES = '[tscodex.prices.scripted]\ninput = 2\ncached_input = 0.5\noutput = 10\n';
const long = 'What was said before. '.repeat(4000);
const took = (input: number, output = 500): Step => ({
  usage: { input, cached: Math.floor(input / 2), output, reasoning: 100 },
});

const meter = (page: Page) => page.getByRole('meter', { name: 'Context left' });
const panel = (page: Page) => page.getByRole('dialog', { name: 'Context and usage' });
const row = (page: Page, name: string) => panel(page).getByRole('row', { name });

test.describe('with a window and prices', () => {
  test.use({ toml: FULL_ACCESS + WINDOW + PRICES });

  test('the meter opens to tokens and cost, which a restart keeps; Compact now makes room', async ({
    page,
    server,
    start,
    model,
  }, info) => {
    model.answer(
      [{ text: long }, { call: 'update_plan', args: { plan: [] } }, took(60_000)],
      [{ text: 'Done.' }, took(100_000)],
    );
    const session = await server.newSession();
    const view = await WorkspaceView.open(page, server, session);
    await view.send('Read it all');
    await expect(meter(page)).toHaveAttribute('aria-valuenow', '50');
    await page.getByRole('button', { name: 'Context and usage' }).click();
    await expect(panel(page)).toContainText('100,500 of 190,000 tokens, 47 % left');
    await expect(row(page, 'Input')).toHaveText('Input160,000160,000');
    await expect(row(page, 'Cost')).toHaveText('Cost$0.2100$0.2100');
    await look(page, info, 'panel');
    await page.keyboard.press('Escape');
    await expect(panel(page)).toHaveCount(0);

    await server.kill('SIGKILL');
    const again = await start();
    await WorkspaceView.open(page, again, session);
    await expect(meter(page)).toHaveAttribute('aria-valuenow', '50');
    await page.getByRole('button', { name: 'Context and usage' }).click();
    await expect(row(page, 'Cost')).toHaveText('Cost$0.2100$0.2100');

    let answer: (() => void) | undefined;
    const wait = new Promise<void>((resolve) => {
      answer = resolve;
    });
    model.answer([{ wait }, { text: '## Where it stands\n\n- All was **read**.' }, took(101_000, 300)]);
    await panel(page).getByRole('button', { name: 'Compact now' }).click();
    const item = view.conversation.locator('[data-item=compaction]');
    await expect(item).toContainText('Compacting the context…');
    await expect(item).toHaveAttribute('aria-busy', 'true');
    await look(page, info, 'compacting');
    answer?.();
    const done = item.getByRole('button', { name: /^Context compacted · \d+k → [\d.]+k tokens$/ });
    await expect(done).toBeVisible();
    await expect(meter(page)).toHaveAttribute('aria-valuetext', /^about (9\d|100) %$/);
    await done.click();
    await expect(item.getByRole('heading', { name: 'Where it stands' })).toBeVisible();
    await look(page, info, 'compacted');
    await page.reload();
    await expect(done).toHaveAttribute('aria-expanded', 'false');
    await expect(meter(page)).toHaveAttribute('aria-valuetext', /^about (9\d|100) %$/);
  });

  test('a compaction that fails says why and what to do, also after a reload', async ({
    page,
    server,
    model,
  }, info) => {
    model.answer([{ text: long }, took(100_000)]);
    const view = await WorkspaceView.open(page, server, await server.newSession());
    await view.send('Read it all');
    await expect(meter(page)).toHaveAttribute('aria-valuenow', '50');
    await expect(view.status).toContainText('idle');
    model.answer([{ reasoning: 'Hm.' }]);
    await view.send('/compact');
    const item = view.conversation.locator('[data-item=compaction]');
    const says = async () => {
      await expect(item).toContainText('Context not compacted');
      await expect(item).toContainText('Send /compact to try again');
      await expect(item).toContainText('The conversation is as it was.');
    };
    await says();
    await look(page, info, 'failed');
    await page.reload();
    await says();
    await expect(meter(page)).toHaveAttribute('aria-valuenow', '50');
  });

  test('a compaction can be stopped, and nothing has changed', async ({ page, server, model }) => {
    model.answer([{ text: long }, took(100_000)]);
    const view = await WorkspaceView.open(page, server, await server.newSession());
    await view.send('Read it all');
    await expect(meter(page)).toHaveAttribute('aria-valuenow', '50');
    await expect(view.status).toContainText('idle');
    model.answer('silence');
    await view.send('/compact');
    await expect(view.conversation).toContainText('Compacting the context…');
    await view.stop.click();
    await expect(view.conversation).toContainText('Compaction stopped · The conversation is as it was.');
    await expect(meter(page)).toHaveAttribute('aria-valuenow', '50');
  });

  test.describe('in Chinese', () => {
    test.use({ locale: 'zh-CN' });

    test('panel and compaction', async ({ page, server, model }, info) => {
      model.answer([{ text: long }, took(100_000)]);
      await server.newSession();
      await page.goto(`${server.url}login?next=${encodeURIComponent('/w/demo/')}#token=${server.token}`);
      const message = page.locator('textarea');
      await message.fill('全部读完');
      await message.press('Enter');
      await expect(page.getByRole('meter', { name: '剩余上下文' })).toHaveAttribute('aria-valuenow', '50');
      await expect(page.getByRole('status', { name: '会话状态' })).toContainText('空闲');
      model.answer([{ text: '全部都读完了。' }, took(101_000, 300)]);
      await message.fill('/compact');
      await message.press('Enter');
      await expect(
        page.getByRole('button', { name: /^上下文已压缩 · 10\dk → [\d.]+k 个 token$/ }),
      ).toBeVisible();
      await message.fill('/status');
      await message.press('Enter');
      await expect(page.getByRole('log')).toContainText(/费用：[\d.]+ USD，最近一轮 [\d.]+ USD/);
      await page.getByRole('button', { name: '上下文与用量' }).click();
      await expect(page.getByRole('dialog', { name: '上下文与用量' })).toContainText('费用');
      await look(page, info, 'chinese');
    });
  });
});

test('a model without a price or a known window: what it used, and why there is no more', async ({
  page,
  server,
  model,
}) => {
  model.answer([{ text: 'Hello.' }, took(1500)]);
  const view = await WorkspaceView.open(page, server, await server.newSession());
  await view.send('Hi');
  await expect(view.conversation).toContainText('Hello.');
  await expect(meter(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Context and usage' }).click();
  await expect(panel(page)).toContainText('2,000 tokens; how many the model can hold is not known');
  await expect(row(page, 'Cost')).toHaveCount(0);
});

test('a model that tells nothing of its use has no meter', async ({ page, server, model }) => {
  model.answer([{ text: 'Hello.' }, { usage: null }]);
  const view = await WorkspaceView.open(page, server, await server.newSession());
  await view.send('Hi');
  await expect(view.conversation).toContainText('Hello.');
  await expect(view.status).toHaveText('idle');
  await expect(page.getByRole('button', { name: 'Context and usage' })).toHaveCount(0);
});
