/** The processes of a measurement: started, and read from /proc, so this is for Linux. */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { epochMs } from './clock.mjs';

/** The kernel's clock ticks in a second, as /proc counts them. */
const TICKS = 100;

/** Forks a module beside this one that tells its port. */
export async function forkServer(module, args = [], options = {}) {
  const child = fork(fileURLToPath(new URL(module, import.meta.url)), args, options);
  const [{ port }] = await once(child, 'message');
  return { child, port };
}

/** Starts a server that will listen on `port`. @returns the process and the milliseconds to its first answer */
export async function startTimed(args, port, options = {}) {
  const start = epochMs();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${args[0]} ended with ${child.exitCode}`);
    await sleep(2);
  }
  return { child, ms: epochMs() - start };
}

export async function stop(child) {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

/** Seconds of CPU, user and system, that the process has used. */
export function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** Megabytes of memory the process has resident. */
export function residentMb(pid) {
  return statusMb(pid, 'VmRSS');
}

/** The most it had since it began, or since `resetPeak`. */
export function peakMb(pid) {
  return statusMb(pid, 'VmHWM');
}

export function resetPeak(pid) {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function statusMb(pid, field) {
  return (
    Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
  );
}

export function descriptorsOf(pid) {
  return readdirSync(`/proc/${pid}/fd`).length;
}

export function childrenOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.map((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'));
  return children.join(' ').split(' ').filter(Boolean).length;
}

function answers(port) {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/healthz', agent: false }, (response) => {
      response.resume();
      resolve(true);
    }).once('error', () => resolve(false));
  });
}
