/** O-D3: a command that prints without end costs the page a bounded part of itself, and no key. */
import { expect, type Page } from '@playwright/test';
import { FULL_ACCESS, test } from '../support/browser-stage.ts';
import { processes, uniqueSeconds } from '../support/processes.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

test.use({ toml: FULL_ACCESS });

/** The middle one of the times from a key to the frame that shows it, in milliseconds. */
async function typingDelay(view: WorkspaceView): Promise<number> {
  await view.message.evaluate((field) => {
    const delays: number[] = [];
    Object.assign(window, { delays });
    field.onkeydown = ({ timeStamp }) =>
      requestAnimationFrame(() => setTimeout(() => delays.push(performance.now() - timeStamp)));
  });
  const before = await view.message.inputValue();
  await view.message.pressSequentially('typed while it prints', { delay: 20 });
  await expect(view.message).toHaveValue(`${before}typed while it prints`);
  const delays: number[] = await view.page.evaluate(() => Reflect.get(window, 'delays'));
  return delays.toSorted((a, b) => a - b)[Math.floor(delays.length / 2)] ?? Number.POSITIVE_INFINITY;
}

/** Bytes of JavaScript's heap, garbage aside. */
async function heap(page: Page): Promise<number> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('HeapProfiler.collectGarbage');
  const { usedSize } = await browser.send('Runtime.getHeapUsage');
  await browser.detach();
  return usedSize;
}

/** How much of the page the conversation is. */
function size(view: WorkspaceView): Promise<{ elements: number; characters: number }> {
  return view.conversation.evaluate((log) => ({
    elements: log.querySelectorAll('*').length,
    characters: log.textContent?.length ?? 0,
  }));
}

test('the page stays small and quick while a command floods it, and Stop ends it', async ({
  page,
  server,
  model,
}) => {
  const word = `flood-${uniqueSeconds()}`;
  model.answer([{ call: 'exec_command', args: { cmd: `yes ${word}`, yield_time_ms: 30_000 } }]);
  const view = await WorkspaceView.open(page, server);
  const idleDelay = await typingDelay(view);
  await view.message.fill('');
  const idleHeap = await heap(page);

  await view.send('print');
  const output = view.conversation.getByRole('region', { name: `Output of yes ${word}` });
  await expect(output).toContainText(word);
  expect(await typingDelay(view)).toBeLessThan(Math.max(200, 4 * idleDelay));
  const { elements, characters } = await size(view);
  expect(elements).toBeLessThan(100);
  expect(characters).toBeLessThan(20_000);
  expect((await heap(page)) - idleHeap).toBeLessThan(20_000_000);

  const other = await server.newSession();
  await server.send(other, 'are you there?');
  await server.idle(other);
  expect(processes(`yes ${word}`)).toHaveLength(1);

  await view.stop.click();
  await expect(view.status).toHaveText('idle');
  expect(processes(`yes ${word}`)).toEqual([]);
  await expect(view.message).toHaveValue('typed while it prints');
});

const floods = [
  { cmd: 'yes | head -c 300000000', shown: [/^y\ny\n/, /y\ny\n?$/], leftOut: true },
  { cmd: 'seq 1 300000', shown: [/^1\n2\n3\n/, /299999\n300000\n?$/], leftOut: true },
  {
    cmd: "head -c 5000000 /dev/zero | tr '\\0' 'x'; echo; echo TAIL",
    shown: [/^xxxx/, /xxxx\nTAIL\n?$/],
    leftOut: true,
  },
  {
    cmd: "for i in $(seq 1 20000); do printf '\\r%d%%' $i; done; echo; echo DONE",
    shown: [/20000%\nDONE\n?$/],
    leftOut: true,
  },
];

for (const { cmd, shown, leftOut } of floods)
  test(`${cmd}: both ends are shown, the middle is not in the page`, async ({ page, server, model }) => {
    model.answer([{ call: 'exec_command', args: { cmd, yield_time_ms: 30_000 } }], [{ text: 'Printed.' }]);
    const view = await WorkspaceView.open(page, server);
    await view.send('print');
    await expect(view.conversation).toContainText('Printed.', { timeout: 40_000 });
    await view.conversation.getByRole('button', { name: /Ran/ }).click();
    const output = view.conversation.getByRole('region', { name: /^Output of/ });
    await expect(output.getByRole('button', { name: 'Show all' })).toHaveCount(leftOut ? 1 : 0);
    const text = (await output.textContent()) ?? '';
    for (const part of shown) expect(text).toMatch(part);
    const { elements, characters } = await size(view);
    expect(elements).toBeLessThan(150);
    expect(characters).toBeLessThan(70_000);
  });
