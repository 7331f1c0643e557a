/**
 * What confinement costs a short command, beside bubblewrap with the same mounts and nothing else around it, and beside
 * `codex sandbox`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './commands.mjs';
import { Product } from './product.mjs';
import { median } from './statistics.mjs';

const SANDBOXED = 'approval_policy = "never"\n';
const TIMES = 20;
const ROUNDS = 3;
const COMMAND = '/bin/true';
/** Codex confines nothing where its home lies in the directory for temporary files. */
const CODEX_HOMES = '/var/tmp';

/**
 * @param codex the path of the program; null: it is left out
 * @returns the milliseconds of each, in turn in one run
 */
export async function measureConfined(model, codex) {
  const home = await mkdtemp(join(CODEX_HOMES, 'bench-codex-'));
  const product = await Product.start(model.url, SANDBOXED);
  try {
    const bare = await bubblewrapOf(product);
    const runs = { ms: [], floorMs: [], codexMs: [] };
    const inCodex = {
      cwd: join(product.dir, 'work'),
      env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home },
    };
    for (let round = 0; round < ROUNDS; round++) {
      const commands = await run(product, TIMES, 0, COMMAND);
      runs.ms.push(...commands.map(({ durationMs }) => durationMs));
      for (let n = 0; n < TIMES; n++) runs.floorMs.push(await timed(bare));
      removeCovered(bare);
      if (codex) for (let n = 0; n < TIMES; n++) runs.codexMs.push(await timed(codexSandbox(codex), inCodex));
    }
    const codexMs = codex ? median(runs.codexMs) : undefined;
    return { ms: median(runs.ms), floorMs: median(runs.floorMs), codexMs };
  } finally {
    await product.stop();
    await rm(home, { recursive: true, force: true });
  }
}

/** The command line it is started with, without the files that the server hands to it. */
async function bubblewrapOf(product) {
  const line = 'sleep 3';
  const ended = run(product, 1, 0, line);
  const argv = await bubblewrapWith(product.pid, line);
  await ended;
  for (const option of ['--seccomp', '--json-status-fd']) argv.splice(argv.indexOf(option), 2);
  return argv.map((word) => (word.includes(line) ? word.replace(line, COMMAND) : word));
}

async function bubblewrapWith(pid, line) {
  for (;;) {
    const [found] = childrenOf(pid).filter(
      (argv) => argv.includes('--unshare-user') && argv.some((word) => word.includes(line)),
    );
    if (found) return found;
    await sleep(5);
  }
}

function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(wordsOf);
}

function wordsOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
  } catch {
    return []; // it has ended meanwhile
  }
}

function parentOf(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1].split(' ')[1]);
  } catch {
    return null; // it has ended meanwhile
  }
}

/** What bubblewrap has made to cover it; the server removes what its own commands leave. */
function removeCovered(argv) {
  for (const [n, option] of argv.entries()) if (option === '--remount-ro') removeEmpty(argv[n + 1]);
}

function removeEmpty(directory) {
  try {
    rmdirSync(directory);
  } catch {
    // it was there before, or is gone already
  }
}

function codexSandbox(program) {
  return [program, 'sandbox', '-c', 'sandbox_mode="workspace-write"', '--', 'bash', '-c', COMMAND];
}

async function timed([file, ...args], options = {}) {
  const start = performance.now();
  const child = spawn(file, args, { ...options, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
  return performance.now() - start;
}
