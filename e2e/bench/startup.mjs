/** What the server costs before anybody has asked for anything. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { cpuSeconds, freePort, residentMb, startTimed, stop } from './processes.mjs';
import { medians } from './statistics.mjs';

const STARTS = 5;
const IDLE_MS = 10_000;
const emptyServer = fileURLToPath(new URL('floor/empty-server.mjs', import.meta.url));

/** Milliseconds to the first answer, in turn with a server that does nothing; `product` runs afterwards as before. */
export async function measureStart(product) {
  const runs = [];
  for (let n = 0; n < STARTS; n++) {
    const port = await freePort();
    const empty = await startTimed([emptyServer, String(port)], port);
    await Promise.all([stop(empty.child), stop(product.child)]);
    runs.push({ product: await product.launch(), floor: empty.ms });
  }
  return medians(runs);
}

/** A server nobody has used, with one page's socket open. */
export async function measureIdle(product) {
  await product.openSession();
  const viewer = await product.watch(() => undefined);
  const before = { cpu: cpuSeconds(product.pid), bytes: viewer.bytes };
  await sleep(IDLE_MS);
  const idle = {
    residentMb: residentMb(product.pid),
    cpu: cpuSeconds(product.pid) - before.cpu,
    bytes: viewer.bytes - before.bytes,
  };
  viewer.close();
  return idle;
}
