/**
 * `opencode-ai` from npm beside the product, where asked for (`--opencode`): installed into a directory of its own,
 * with no account, no model and no network of its own. What it needs no model for is measured.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { epochMs } from './clock.mjs';
import { cpuSeconds, freePort, residentMb, stop } from './processes.mjs';

const PACKAGE = 'opencode-ai@1.18.33';
const IDLE_MS = 10_000;
const PATIENCE_MS = 120_000;

/** @returns {Promise<Record<string, number> | null>} null, with the reason printed, where it cannot be installed or run */
export async function measureOpencode(browser) {
  const dir = await mkdtemp(join(tmpdir(), 'bench-opencode-'));
  try {
    await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', dir, PACKAGE]);
    return await measure(browser, dir);
  } catch (error) {
    console.error(`opencode is left out: ${error.message}`);
    return null;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function measure(browser, dir) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const bin = join(dir, 'node_modules', `opencode-linux-${process.arch}`, 'bin', 'opencode');
  const env = { PATH: process.env.PATH, HOME: dir, OPENCODE_DISABLE_AUTOUPDATE: '1' };
  const start = epochMs();
  const child = spawn(bin, ['serve', '--port', String(port)], {
    cwd: dir,
    env: { ...env, OPENCODE_DISABLE_MODELS_FETCH: '1' },
    stdio: 'ignore',
  });
  const failed = once(child, 'error').then(([error]) => Promise.reject(error));
  try {
    await Promise.race([failed, answers(`${url}config`, start + PATIENCE_MS)]);
    const ms = epochMs() - start;
    const before = cpuSeconds(child.pid);
    await sleep(IDLE_MS);
    const idle = { residentMb: residentMb(child.pid), cpu: cpuSeconds(child.pid) - before };
    return { start: ms, ...idle, ...(await firstLoad(browser, url)) };
  } finally {
    await stop(child);
  }
}

/** What its page fetches until nothing more comes. */
async function firstLoad(browser, url) {
  const page = await browser.newPage();
  const scripts = [];
  let requests = 0;
  page.on('request', (request) => {
    if (request.url().startsWith('http')) requests++;
  });
  // of what never ends there is no body to wait for
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      scripts.push(request.response().then((answer) => answer?.body()));
  });
  await page.goto(url, { waitUntil: 'networkidle', timeout: PATIENCE_MS }).catch(() => undefined); // it may poll
  const bodies = (await Promise.allSettled(scripts)).flatMap(({ value }) => (value ? [value] : []));
  await page.close();
  return { scriptKb: bodies.reduce((sum, body) => sum + gzipSync(body).length, 0) / 1000, requests };
}

async function answers(url, deadline) {
  while (epochMs() < deadline) {
    const response = await fetch(url).catch(() => null); // not listening yet
    if (response?.ok) return;
    await sleep(20);
  }
  throw new Error(`it did not answer within ${PATIENCE_MS / 1000} s`);
}

async function run(command, args) {
  const child = spawn(command, args, { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}
