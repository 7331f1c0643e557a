/** What a delta costs the page at the end of a conversation, short and long: counted, so that no machine matters. */
import { setTimeout as sleep } from 'node:timers/promises';
import { metrics, openPage } from './page.mjs';

export const SHORT = 200;
export const LONG = 2000;
const DELTAS = 200;
const RATE = 40;

/** @returns {Promise<{layouts: number, writes: number, growth: number}>} for each delta after the long one; `growth`: as many times those after the short one */
export async function measureAppend(browser, side, model) {
  const short = await appendAfter(SHORT, { browser, side, model });
  const long = await appendAfter(LONG, { browser, side, model });
  return { ...long, growth: long.layouts / short.layouts };
}

async function appendAfter(blocks, { browser, side, model }) {
  await side.openSession();
  const page = await openPage(browser, side);
  await page.goto(side.pageUrl);
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  await answered(page, side, model, `[[blocks count=${blocks} rate=1000]]`, `Block ${blocks}.`);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.evaluate(countWrites);
  const before = await metrics(session);
  await answered(page, side, model, `[[words deltas=${DELTAS} rate=${RATE}]]`, `word${DELTAS}.`);
  const layouts = (await metrics(session)).LayoutCount - before.LayoutCount;
  const writes = await page.evaluate(() => window.writes);
  await page.context().close();
  return { layouts: layouts / DELTAS, writes: writes / DELTAS };
}

async function answered(page, side, model, prompt, lastWords) {
  const sent = model.answerSent();
  await side.ask(prompt);
  await sent;
  const shown = (words) => document.querySelector('[role=log]').textContent.includes(words);
  await page.waitForFunction(shown, lastWords, { polling: 100, timeout: 120_000 });
  await sleep(300); // what follows the last delta is not one
}

/** Runs in the page. */
function countWrites() {
  window.writes = 0;
  const count = (records) => {
    window.writes += records.length;
  };
  const log = document.querySelector('[role=log]');
  new MutationObserver(count).observe(log, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  });
}
