/** From the model's socket to a viewer: how late a delta is, how many bytes it is, what it costs the server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { epochMs } from './clock.mjs';
import { cpuSeconds } from './processes.mjs';
import { quantile } from './statistics.mjs';

export const DELTAS = 1000;
export const RATE = 200;
export const CROWD = 20;

/** The server's own work after the answer, such as saving it, belongs to its cost. */
const SETTLE_MS = 300;

/** Compiles what will run, and loads what a server loads with the first answer. */
export async function warmUp(side) {
  await side.openSession();
  const viewer = await side.watch(() => undefined);
  await Promise.all([viewer.answered(), side.ask(`[[times deltas=4000 rate=2000]]`)]);
  viewer.close();
}

export async function measureDelivery(side) {
  const alone = await stream(side, 1);
  const crowd = await stream(side, CROWD);
  return { ...alone, crowdCpu: crowd.cpu };
}

/** What one of so many viewers sees of an answer, and what it costs the server. */
export async function stream(side, viewers) {
  await side.openSession();
  const delays = [];
  const first = await side.watch((text) => {
    const now = epochMs();
    for (const [, sent] of text.matchAll(/<(\d+)>/g)) delays.push(now - Number(sent) / 1000);
  });
  const others = await Promise.all(Array.from({ length: viewers - 1 }, () => side.watch(() => undefined)));
  const before = { cpu: cpuSeconds(side.pid), bytes: first.bytes };
  await Promise.all([first.answered(), side.ask(`[[times deltas=${DELTAS} rate=${RATE}]]`)]);
  await sleep(SETTLE_MS);
  const cpu = cpuSeconds(side.pid) - before.cpu;
  for (const viewer of [first, ...others]) viewer.close();
  if (delays.length !== DELTAS) throw new Error(`${side.name}: ${delays.length} of ${DELTAS} deltas arrived`);
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)];
  return { p50, p99, kilobytes: (first.bytes - before.bytes) / 1000, cpu };
}
