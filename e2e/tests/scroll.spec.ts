/** O-F8, Q23: who reads above is left in peace while the agent writes below; who is at the end stays there. */
import { expect, type Page } from '@playwright/test';
import { test as base, FULL_ACCESS } from '../support/browser-stage.ts';
import type { Step } from '../support/fake-model.ts';
import type { RunningServer } from '../support/server.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

/** With scroll bars, so that one can be dragged. */
const test = base.extend<object, { visibleScrollbars: undefined }>({
  launchOptions: [
    async ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] }),
    { scope: 'worker' },
  ],
});

test.use({ toml: FULL_ACCESS });

/** More than three screens. */
const old = Array.from({ length: 120 }, (_, i) => `Old ${i + 1}.\n\n`).join('');

/** 20 lines a second, more than any test waits for, by turns as paragraphs, as code and as a table. */
const stream: Step[] = Array.from({ length: 1_000 }, (_, i) => i).flatMap((i): Step[] => {
  const kind = Math.floor(i / 5) % 3;
  const first = i % 5 === 0;
  const last = i % 5 === 4;
  const line = `Line ${i + 1}`;
  const texts = [
    `${line}.\n\n`,
    `${first ? '```\n' : ''}${line}\n${last ? '```\n\n' : ''}`,
    `${first ? '| a | b |\n|---|---|\n' : ''}| ${line} | b |\n${last ? '\n' : ''}`,
  ];
  return [{ text: texts[kind] ?? '' }, { delay: 50 }];
});

/** A long session, its agent writing, its reader at the end. */
async function openStreaming(page: Page, server: RunningServer): Promise<WorkspaceView> {
  const session = await server.newSession();
  await server.send(session, 'begin');
  await server.idle(session);
  const view = await WorkspaceView.open(page, server, session);
  await expect(view.conversation).toContainText('Old 120.');
  await view.send('stream');
  await moreLines(view, 20);
  return view;
}

function newestLine(view: WorkspaceView): Promise<number> {
  return view.conversation.evaluate(({ textContent }) =>
    Number([...(textContent ?? '').matchAll(/Line (\d+)/g)].at(-1)?.[1] ?? 0),
  );
}

async function moreLines(view: WorkspaceView, count: number): Promise<void> {
  const before = await newestLine(view);
  await expect.poll(() => newestLine(view)).toBeGreaterThanOrEqual(before + count);
}

/** The distance from the end, in pixels. */
function distance(view: WorkspaceView): Promise<number> {
  return view.conversation.evaluate((log) => log.scrollHeight - log.clientHeight - log.scrollTop);
}

/** Waits until the reader's own movement has ended. */
async function settled(view: WorkspaceView): Promise<void> {
  await view.conversation.evaluate(
    (log) =>
      new Promise<void>((resolve) => {
        let still = 0;
        let before = log.scrollTop;
        const look = () => {
          still = log.scrollTop === before ? still + 1 : 0;
          before = log.scrollTop;
          if (still >= 10) resolve();
          else requestAnimationFrame(look);
        };
        look();
      }),
  );
}

/** How far `scrollTop` goes up and down, frame by frame, while 30 lines come. */
async function wander(view: WorkspaceView): Promise<number> {
  await view.conversation.evaluate((log) => {
    const tops: number[] = [];
    Object.assign(window, { tops });
    const look = () => {
      tops.push(log.scrollTop);
      requestAnimationFrame(look);
    };
    look();
  });
  await moreLines(view, 30);
  const tops: number[] = await view.page.evaluate(() => Reflect.get(window, 'tops'));
  expect(tops.length).toBeGreaterThan(5);
  return Math.max(...tops) - Math.min(...tops);
}

const jump = (page: Page) => page.getByRole('button', { name: /^(New output|Jump to latest)$/ });

/** The rectangle of the conversation. */
async function place(view: WorkspaceView) {
  const box = await view.conversation.boundingBox();
  if (!box) throw new Error('the conversation is not shown');
  return box;
}

const gestures: Record<string, (view: WorkspaceView) => Promise<void>> = {
  'the wheel': async (view) => {
    await view.conversation.hover();
    await view.page.mouse.wheel(0, -400);
  },
  'Page Up': async (view) => {
    await view.conversation.focus();
    await view.page.keyboard.press('PageUp');
  },
  'dragging the scroll bar': async (view) => {
    const { x, y, width, height } = await place(view);
    await view.page.mouse.move(x + width - 6, y + height - 24);
    await view.page.mouse.down();
    await view.page.mouse.move(x + width - 6, y + height - 120, { steps: 5 });
    await view.page.mouse.up();
  },
  'selecting text': async (view) => {
    // in what is written already: a block that still grows is made anew with each piece;
    // where lines begin: beside a narrow table there is nothing to select
    const { y } = await place(view);
    const column = await view.conversation.locator('p').first().boundingBox();
    const left = (column?.x ?? 0) + 4;
    // the text moves up until the first press holds it, and that press may fall between two lines
    await expect(async () => {
      await view.page.mouse.move(left, y + 40);
      await view.page.mouse.down();
      await view.page.mouse.move(left + 40, y + 180, { steps: 5 });
      await view.page.mouse.up();
      expect(await view.page.evaluate(() => document.getSelection()?.isCollapsed)).toBe(false);
    }).toPass();
  },
};

for (const [name, letGo] of Object.entries(gestures))
  test(`${name} lets go of the end, and nothing pulls the reader down`, async ({ page, server, model }) => {
    model.answer([{ text: old }], stream);
    const view = await openStreaming(page, server);
    await letGo(view);
    await settled(view);
    expect(await wander(view)).toBeLessThanOrEqual(2);
    expect(await distance(view)).toBeGreaterThan(24);
    await expect(jump(page)).toBeVisible();
  });

test('opening an old output above does not move the line that is read', async ({ page, server, model }) => {
  model.answer([{ call: 'exec_command', args: { cmd: 'seq 1 300' } }], [{ text: old }], stream);
  const view = await openStreaming(page, server);
  const read = view.conversation.getByText('Old 60.', { exact: true });
  await read.evaluate((line) => line.scrollIntoView({ block: 'center' }));
  await settled(view);
  // as it is painted: between two frames the page has not made up for a height yet
  const top = () =>
    read.evaluate(
      (line) =>
        new Promise<number>((resolve) => {
          const tell = () => resolve(line.getBoundingClientRect().top);
          requestAnimationFrame(() => requestAnimationFrame(tell));
        }),
    );
  const before = await top();
  const command = view.conversation.getByRole('button', { name: /Ran seq 1 300/ });
  await expect(command).not.toBeInViewport();
  // by its own click: a mouse would have to go there
  await command.evaluate((button: HTMLButtonElement) => button.click());
  await expect(command).toHaveAttribute('aria-expanded', 'true');
  await moreLines(view, 10);
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(2);
  await command.evaluate((button: HTMLButtonElement) => button.click());
  await expect(command).toHaveAttribute('aria-expanded', 'false');
  expect(Math.abs((await top()) - before)).toBeLessThanOrEqual(2);
});

const returns: Record<string, (view: WorkspaceView) => Promise<void>> = {
  'the button': async (view) => jump(view.page).click(),
  'the End key': async (view) => {
    await view.conversation.focus();
    await view.page.keyboard.press('End');
  },
  'the wheel': async (view) => {
    await view.conversation.hover();
    await expect
      .poll(async () => {
        await view.page.mouse.wheel(0, 2_000);
        return jump(view.page).count();
      })
      .toBe(0);
  },
};

for (const [name, goBack] of Object.entries(returns))
  test(`back at the end by ${name}, following resumes`, async ({ page, server, model }) => {
    model.answer([{ text: old }], stream);
    const view = await openStreaming(page, server);
    await view.conversation.hover();
    await page.mouse.wheel(0, -400);
    await expect(jump(page)).toBeVisible();
    await goBack(view);
    await expect(jump(page)).toHaveCount(0);
    await moreLines(view, 30);
    await expect(jump(page)).toHaveCount(0);
    await expect.poll(() => distance(view)).toBeLessThanOrEqual(2);
  });

test("one's own message is brought into view", async ({ page, server, model }) => {
  model.answer([{ text: old }], stream);
  const view = await openStreaming(page, server);
  await view.conversation.hover();
  await page.mouse.wheel(0, -1_500);
  await expect(jump(page)).toBeVisible();
  await view.send('look here');
  await expect(jump(page)).toHaveCount(0);
  await expect.poll(() => distance(view)).toBeLessThanOrEqual(2);

  await view.stop.click();
  await expect(view.status).toHaveText('idle');
  await view.conversation.hover();
  await page.mouse.wheel(0, -1_500);
  await expect(jump(page)).toBeVisible();
  await view.send('and here');
  await expect(view.conversation.getByText('and here', { exact: true })).toBeInViewport();
});
