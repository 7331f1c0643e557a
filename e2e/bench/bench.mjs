/**
 * `npm run bench`: the product against a floor that does the same job with nothing in between, both in turn in one
 * run, so that what a row says is the ratio, whatever the machine. Prints the table of docs/bench.md; `--write` puts
 * it there. `--opencode` installs opencode into a temporary directory and measures it too.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { measureAppend } from './append.mjs';
import { measureCatalog } from './catalog.mjs';
import { withCodex } from './codex.mjs';
import { measureCodexLatency } from './codex-latency.mjs';
import { measureCommands } from './commands.mjs';
import { measureConfined } from './confined.mjs';
import { measureDelivery, warmUp } from './delivery.mjs';
import { measureExec } from './exec.mjs';
import { measureFanOut } from './fan-out.mjs';
import { Floor } from './floor.mjs';
import { measureOpening, measureResume } from './long-sessions.mjs';
import { Model } from './model.mjs';
import { measureOpencode } from './opencode.mjs';
import { launchBrowser, measureIdlePage, measureLoad, measureStream, openPage } from './page.mjs';
import { Product } from './product.mjs';
import { measureRequest } from './request.mjs';
import { rowsOf } from './rows.mjs';
import { measureIdle, measureStart } from './startup.mjs';
import { medians } from './statistics.mjs';
import { table } from './table.mjs';
import { measureToolLoop } from './tool-loop.mjs';

const ROUNDS = 2;

const model = await Model.start();
const product = await Product.start(model.url);
const floor = await Floor.start(model.url);
const browser = await launchBrowser();
try {
  const start = await step('start', () => measureStart(product));
  const idle = await step('idle', () => measureIdle(product));
  for (const side of [product, floor]) await warmUp(side);
  const delivery = await step('delivery', () => inTurn(measureDelivery));
  const fanOut = await step('fan-out', () => inTurn(measureFanOut));
  const append = await step('append', async () => ({
    product: await measureAppend(browser, product, model),
    floor: await measureAppend(browser, floor, model),
  }));
  const catalog = await step('catalogue', () => measureCatalog(model));
  const commands = await step('commands', () => measureCommands(model));
  const { confined, toolLoop, exec, resume, codexLatency } = await withCodex(
    process.argv.includes('--codex'),
    async (codex) => ({
      confined: await step('confined commands', () => measureConfined(model, codex)),
      toolLoop: await step('tool loop', () => measureToolLoop(model, codex)),
      exec: await step('exec', () => measureExec(model, codex)),
      resume: await step('resume', () => measureResume(model, codex)),
      codexLatency: await step('a session on codex', () => measureCodexLatency(model, codex)),
    }),
  );
  const opening = await step('opening', () => measureOpening(browser, model));
  const request = await step('request', measureRequest);
  const page = await step('page', () => inTurn(loadAndStream));
  const idlePage = await step('idle page', async () => {
    await product.openSession();
    return measureIdlePage(await openPage(browser, product), product);
  });
  const opencode = process.argv.includes('--opencode')
    ? await step('opencode', () => measureOpencode(browser))
    : null;
  if (!opencode) console.error('opencode is not measured; with --opencode it is installed for that');
  const text = table(
    rowsOf({
      ...{ start, idle, delivery, fanOut, append, catalog, commands, confined, toolLoop, exec, resume },
      ...{ codexLatency, opening, request },
      ...{ page, idlePage, opencode },
    }),
  );
  console.log(text);
  if (process.argv.includes('--write')) await writeTable(text);
} finally {
  await browser.close();
  await Promise.all([product.stop(), floor.stop(), model.stop()]);
}

async function writeTable(text) {
  const file = new URL('../../docs/bench.md', import.meta.url);
  const before = await readFile(file, 'utf8');
  await writeFile(file, before.replace(/(?:^\|.*\n)+/m, `${text}\n`));
}

/** A page of its own for each side and round. */
async function loadAndStream(side) {
  await side.openSession();
  const page = await openPage(browser, side);
  const load = await measureLoad(page, side);
  const stream = await measureStream(page, side, model);
  await page.context().close();
  return { ...load, ...stream };
}

async function inTurn(measure) {
  const runs = { product: [], floor: [] };
  for (let round = 0; round < ROUNDS; round++)
    for (const side of [product, floor]) runs[side.name].push(await measure(side));
  return { product: medians(runs.product), floor: medians(runs.floor) };
}

async function step(name, measure) {
  console.error(`measuring: ${name}`);
  return measure();
}
