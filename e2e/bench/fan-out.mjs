/** One session that streams to many: what its server pays for all of them, and keeps for each. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gather } from './crowd.mjs';
import { cpuSeconds, residentMb } from './processes.mjs';

/** How many follow, and at what pace deltas come. */
export const CROWDS = [
  { viewers: 50, deltas: 1000, rate: 200 },
  { viewers: 500, deltas: 250, rate: 25 },
];

/** The server's own work after the answer, such as saving it, belongs to its cost. */
const SETTLE_MS = 300;

/** @returns {Promise<Record<string, number>>} `cpu50`, `cpu500`: seconds; `memory50`, `memory500`: kB for each viewer */
export async function measureFanOut(side) {
  const measured = {};
  for (const { viewers, deltas, rate } of CROWDS) {
    await side.openSession();
    const empty = residentMb(side.pid);
    const first = await side.watch(() => undefined);
    const crowd = await gather(side.place(), viewers - 1);
    const before = cpuSeconds(side.pid);
    await Promise.all([first.answered(), side.ask(`[[times deltas=${deltas} rate=${rate}]]`)]);
    await sleep(SETTLE_MS);
    measured[`cpu${viewers}`] = cpuSeconds(side.pid) - before;
    measured[`memory${viewers}`] = Math.max(0, (residentMb(side.pid) - empty) * 1024) / viewers;
    first.close();
    await crowd.leave();
    await sleep(SETTLE_MS);
  }
  return measured;
}
