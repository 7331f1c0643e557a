/** What a piece of text costs the page: counted, not timed, in a short conversation and in one ten times as long. */
import { type CDPSession, expect, type Page } from '@playwright/test';
import { test } from '../support/browser-stage.ts';
import type { FakeModel, Step } from '../support/fake-model.ts';
import { Gate } from '../support/gate.ts';
import type { RunningServer } from '../support/server.ts';
import { WorkspaceView } from '../support/workspace-view.ts';

const DELTAS = 30;

const block = (n: number) =>
  n % 4 === 0
    ? `\`\`\`ts\nconst a${n} = ${n};\n\`\`\`\n\n`
    : `Paragraph ${n} with **bold** and \`code\`.\n\n`;

async function layouts(browser: CDPSession): Promise<number> {
  const { metrics } = await browser.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN;
}

/** Resolves once the conversation has not changed for a second: code is coloured some time after it has arrived. */
function still(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const done = () => {
          observer.disconnect();
          resolve();
        };
        let timer = setTimeout(done, 1000);
        const log = document.querySelector('[role=log]') as Element;
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(done, 1000);
        });
        observer.observe(log, { subtree: true, childList: true, characterData: true, attributes: true });
      }),
  );
}

/** Layouts and changes of the document while an answer arrives, each piece once the one before is shown. */
async function cost(page: Page, server: RunningServer, model: FakeModel, blocks: number) {
  const view = await WorkspaceView.open(page, server, await server.newSession());
  const text = Array.from({ length: blocks }, (_, n) => block(n)).join('');
  model.answer([{ text: `${text}That was the long one.` }]);
  await view.send('write a lot');
  await expect(view.conversation).toContainText('That was the long one.');
  await expect(view.status).toHaveText('idle');
  await still(page);

  const gates = Array.from({ length: DELTAS + 1 }, () => new Gate());
  const steps = gates.flatMap((gate, n): Step[] => [{ text: `word${n} ` }, { wait: gate.opened }]);
  model.answer([...steps, { text: 'the end.' }]);
  await view.send('and a little more');
  const shows = (words: string) =>
    page.waitForFunction(
      (wanted) => document.querySelector('[role=log]')?.textContent?.includes(wanted),
      words,
      { polling: 50 },
    );
  await shows('word0');
  const browser = await page.context().newCDPSession(page);
  await browser.send('Performance.enable');
  await page.evaluate(() => {
    const seen = { writes: 0 };
    Object.assign(window, { seen });
    const log = document.querySelector('[role=log]') as Element;
    new MutationObserver((records) => {
      seen.writes += records.length;
    }).observe(log, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const before = await layouts(browser);
  for (let n = 0; n < DELTAS; n++) {
    gates[n]?.open();
    await shows(`word${n + 1} `);
  }
  const counted = {
    layouts: (await layouts(browser)) - before,
    writes: await page.evaluate(() => (Reflect.get(window, 'seen') as { writes: number }).writes),
  };
  gates.at(-1)?.open();
  await expect(view.status).toHaveText('idle');
  await browser.detach();
  return counted;
}

test('a delta costs a conversation of 2,000 blocks no more than one of 200', async ({
  page,
  server,
  model,
}) => {
  test.setTimeout(240_000);
  const short = await cost(page, server, model, 200);
  const long = await cost(page, server, model, 2_000);
  // one text that is added to, and what the page may do beside it; a forced layout each block would be thousands
  expect(short.writes).toBeLessThanOrEqual(3 * DELTAS);
  expect(long.writes).toBeLessThanOrEqual(short.writes + DELTAS);
  expect(short.layouts).toBeLessThanOrEqual(10 * DELTAS);
  expect(long.layouts).toBeLessThanOrEqual(short.layouts + 2 * DELTAS);
});
