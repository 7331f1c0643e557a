/** The page in Chromium: how it loads, how it keeps up with a stream, what it does when nothing happens. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { chromium } from '@playwright/test';
import { chromium as findChromium } from '../../scripts/chromium.mjs';
import { LAST_WORDS } from './model/markdown.mjs';
import { quantile } from './statistics.mjs';

export const KIB = 200;
export const RATE = 300;
export const LONG_TASK_MS = 100;

const IDLE_MS = 30_000;
const KEY_EVERY_MS = 400;

/** The flags of the browser tests. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

export function launchBrowser() {
  const path = findChromium();
  if (!path) throw new Error('no Chromium here; run: sudo apt-get install -y chromium');
  return chromium.launch({ args: FLAGS, ...(path === 'playwright' ? {} : { executablePath: path }) });
}

/** @returns a page that is logged in and shows nothing of the side yet */
export async function openPage(browser, side) {
  const context = await browser.newContext();
  const login = await context.newPage();
  await side.logIn(login);
  await login.close();
  const page = await context.newPage();
  await page.addInitScript(observe, LONG_TASK_MS);
  return page;
}

/** With an empty cache, until a key typed into the composer is taken. */
export async function measureLoad(page, side) {
  const requests = [];
  const scripts = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) requests.push(request.url());
  });
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body());
  });
  const start = performance.now();
  await page.goto(side.pageUrl, { waitUntil: 'commit' });
  await composer(page).fill('ready');
  const usableMs = performance.now() - start;
  await composer(page).fill('');
  await page.waitForLoadState('networkidle');
  const sizes = (await Promise.all(scripts)).map((body) => gzipSync(body).length);
  return { usableMs, scriptKb: sizes.reduce((a, b) => a + b, 0) / 1000, requests: requests.length };
}

/** `model` tells when it has sent all of an answer. */
export async function measureStream(page, side, model) {
  const browser = await page.context().newCDPSession(page);
  // the thread's own time: what others do on the machine does not count
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await metrics(browser);
  let sentAt = null;
  const sent = model.answerSent().then((at) => {
    sentAt = at;
  });
  await composer(page).focus();
  await page.evaluate(() => Object.assign(window, { longTasks: [], keys: [] }));
  await side.ask(`[[document kib=${KIB} rate=${RATE}]]`);
  while (sentAt === null) {
    await page.keyboard.press('x');
    await Promise.race([sent, sleep(KEY_EVERY_MS)]);
  }
  const shownAt = await page.waitForFunction(shownWhole, LAST_WORDS, { polling: 20, timeout: 120_000 });
  const after = await metrics(browser);
  const { longTasks: long, keys } = await page.evaluate(() => ({ longTasks, keys }));
  return {
    lagMs: (await shownAt.jsonValue()) - sentAt,
    scriptSeconds: after.ScriptDuration - before.ScriptDuration,
    taskSeconds: after.TaskDuration - before.TaskDuration,
    longTasks: long.length,
    longestTaskMs: Math.max(0, ...long),
    keyP50: quantile(keys, 0.5),
    keyP95: quantile(keys, 0.95),
  };
}

/** Requests and WebSocket messages of a page that shows an idle session, from its load on. */
export async function measureIdlePage(page, side) {
  let messages = 0;
  page.on('websocket', (socket) => {
    socket.on('framereceived', () => messages++);
    socket.on('framesent', () => messages++);
  });
  await page.goto(side.pageUrl);
  await composer(page).waitFor();
  await page.waitForLoadState('networkidle');
  let requests = 0;
  page.on('request', () => requests++);
  messages = 0;
  await sleep(IDLE_MS);
  return { requests, messages };
}

function composer(page) {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

/** Runs in the page: notes its long tasks, and how long each key took to become a letter in the composer. */
function observe(limit) {
  Object.assign(window, { longTasks: [], keys: [] });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (duration > limit) window.longTasks.push(duration);
  }).observe({ type: 'longtask' });
  let pressed = 0;
  addEventListener('keydown', (event) => {
    pressed = event.timeStamp;
  });
  // on the window: after the page's own listeners
  addEventListener('input', () => window.keys.push(performance.now() - pressed));
}

function shownWhole(words) {
  return document.querySelector('[role=log]').textContent.includes(words) && Date.now();
}

export async function metrics(browser) {
  const { metrics } = await browser.send('Performance.getMetrics');
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}
