/** Sessions of ten thousand items: opened at the end or at a message, read from end to end, and searched. */
import { expect, type Page } from '@playwright/test';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import { Gate } from '../support/gate.ts';
import { itemNumbers, longSession } from '../support/long-session.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use({ toml: FULL_ACCESS });
test.describe.configure({ timeout: 180_000 });

const ITEMS = 10_000;
const MOST_ELEMENTS = 3000;

const elements = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length);

/** The first item of which something is in view, and how far its top is from that of the view. */
function firstInView(view: WorkspaceView) {
  return view.conversation.evaluate((log) => {
    const top = log.getBoundingClientRect().top;
    const items = [...log.querySelectorAll('[data-id]')];
    const first = items.find((item) => item.getBoundingClientRect().bottom > top + 40);
    if (!first) throw new Error('nothing is in view');
    return { id: first.getAttribute('data-id') ?? '', top: first.getBoundingClientRect().top - top };
  });
}

test('opened at the end, it holds few elements, and goes back page by page without a jump', async ({
  page,
  box,
  start,
  model,
}) => {
  const { server, session } = await longSession(box, start, model, itemNumbers(0, ITEMS));
  const view = await WorkspaceView.open(page, server, session);
  await expect(view.conversation).toContainText(`run ${ITEMS - 1}`);
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);

  await view.conversation.hover();
  let pages = 0;
  page.on('response', (response) => {
    if (response.url().includes('/items?before=')) pages += 1;
  });
  let last = Number.POSITIVE_INFINITY;
  while (pages < 3) {
    await page.mouse.wheel(0, -900);
    await page.waitForTimeout(50);
    const { id } = await firstInView(view);
    const number = Number(/^item-(\d+)$/.exec(id)?.[1]);
    // what comes in above moves nobody down
    expect(number).toBeLessThanOrEqual(last);
    last = number;
  }
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);

  // at rest nothing moves either, while what was asked for arrives
  const before = await firstInView(view);
  await page.waitForTimeout(500);
  const after = await firstInView(view);
  expect(after.id).toBe(before.id);
  expect(Math.abs(after.top - before.top)).toBeLessThanOrEqual(2);

  await view.conversation.focus();
  await page.keyboard.press('End');
  await expect(view.conversation.getByText(`run ${ITEMS - 1}`)).toBeInViewport();
});

test('who is at the top before what came earlier has arrived keeps their place', async ({
  page,
  box,
  start,
  model,
}) => {
  const { server, session } = await longSession(box, start, model, itemNumbers(0, 2000));
  const gate = new Gate();
  await page.route('**/items?before=*', async (route) => {
    await gate.opened;
    await route.continue();
  });
  const view = await WorkspaceView.open(page, server, session);
  await expect(view.conversation).toContainText('run 1999');
  await view.conversation.hover();
  const top = () => view.conversation.evaluate((log) => log.scrollTop);
  const topOf = (id: string) =>
    view.conversation.evaluate((log, item) => {
      const element = log.querySelector(`[data-id="${item}"]`);
      return (element?.getBoundingClientRect().top ?? 0) - log.getBoundingClientRect().top;
    }, id);
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, -3000);
      return top();
    })
    .toBe(0);
  const first = await firstInView(view);
  const arrived = page.waitForResponse('**/items?before=*');
  gate.open();
  await arrived;
  await expect.poll(top).toBeGreaterThan(1000);
  await expect.poll(async () => Math.abs((await topOf(first.id)) - first.top)).toBeLessThanOrEqual(2);
});

test('a link opens it at a message, in both directions from there, and says when there is none', async ({
  page,
  box,
  start,
  model,
}) => {
  const { server, session } = await longSession(box, start, model, itemNumbers(0, ITEMS));
  const view = await WorkspaceView.open(page, server, session);
  const url = new URL(page.url());
  url.searchParams.set('item', 'item-5000');
  await page.goto(url.href);
  const message = view.conversation.getByText('Question 5000', { exact: true });
  await expect(message).toBeInViewport();
  expect(await elements(page)).toBeLessThan(MOST_ELEMENTS);
  await view.conversation.hover();
  await page.mouse.wheel(0, -400);
  await expect(view.conversation.locator('[data-id="item-4996"]')).toBeVisible();
  const reached = async () => {
    await page.mouse.wheel(0, 1500);
    return Number(/^item-(\d+)$/.exec((await firstInView(view)).id)?.[1]);
  };
  await expect.poll(reached, { intervals: [50] }).toBeGreaterThan(5250);

  url.searchParams.set('item', 'no-such-item');
  await page.goto(url.href);
  await expect(
    page.getByText('The linked message is not in this conversation. This is its end.'),
  ).toBeVisible();
  await expect(view.conversation.getByText(`run ${ITEMS - 1}`)).toBeInViewport();
});

test('words are found in all of it, also where nothing is in the page yet', async ({
  page,
  box,
  start,
  model,
}) => {
  const { server, session } = await longSession(box, start, model, itemNumbers(0, ITEMS));
  const view = await WorkspaceView.open(page, server, session);
  await expect(view.conversation).toContainText(`run ${ITEMS - 1}`);
  await page.keyboard.press('Control+f');
  const field = page.getByRole('textbox', { name: 'Find in this conversation' });
  await expect(field).toBeFocused();
  await field.fill('question 1236');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
  await expect(view.conversation.getByText('Question 1236', { exact: true })).toBeInViewport();
  await field.fill('no such words anywhere');
  await expect(page.getByRole('search').getByRole('status')).toHaveText('Nothing found');
  await page.keyboard.press('Escape');
  await expect(field).toHaveCount(0);
});
