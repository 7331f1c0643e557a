/** What commands cost the server: one that floods, and a thousand short ones in terminals. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { childrenOf, descriptorsOf, peakMb, resetPeak, residentMb } from './processes.mjs';
import { Product } from './product.mjs';
import { medians } from './statistics.mjs';

const UNATTENDED = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';
const ROUNDS = 3;

export const FLOOD_MB = 100;
const FLOOD = `yes | head -c ${FLOOD_MB}000000`;
const countBytes = fileURLToPath(new URL('floor/count-bytes.mjs', import.meta.url));

const SESSIONS = 10;
const EACH = 100;
export const TERMINALS = SESSIONS * EACH;

/** A flood in turn with a process that only counts its bytes; then terminals, one after another. */
export async function measureCommands(model) {
  const product = await Product.start(model.url, UNATTENDED);
  try {
    const runs = [];
    for (let round = 0; round < ROUNDS; round++)
      runs.push({ ...(await flood(product)), floorMs: await countedFlood() });
    return { flood: medians(runs), terminals: await terminals(product) };
  } finally {
    await product.stop();
  }
}

/** Milliseconds of the command, and the megabytes that the server grew by at its peak, with a viewer. */
async function flood(product) {
  await run(product, 1, 0, 'true');
  resetPeak(product.pid);
  const before = residentMb(product.pid);
  const [command] = await run(product, 1, 0, FLOOD);
  if (command.outputBytes !== FLOOD_MB * 1e6) throw new Error(`${command.outputBytes} bytes came`);
  return { ms: command.durationMs, grownMb: peakMb(product.pid) - before };
}

async function countedFlood() {
  const child = fork(countBytes, [FLOOD]);
  const [{ bytes, ms }] = await once(child, 'message');
  if (bytes !== FLOOD_MB * 1e6) throw new Error(`${bytes} bytes came`);
  return ms;
}

/** How many descriptors and children the server has more than before. */
async function terminals(product) {
  await run(product, 1, 1, 'true');
  const before = { descriptors: descriptorsOf(product.pid), children: childrenOf(product.pid) };
  for (let n = 0; n < SESSIONS; n++) await run(product, EACH, 1, 'true');
  return {
    descriptors: descriptorsOf(product.pid) - before.descriptors,
    children: childrenOf(product.pid) - before.children,
  };
}

/** In a session of its own, which is closed afterwards. @returns the items of the commands */
export async function run(product, times, tty, cmd) {
  await product.openSession();
  const viewer = await product.watch(() => undefined);
  const commands = [];
  const watch = (frame) => {
    for (const { type, item } of frame.events ?? [])
      if (type === 'item.completed' && item.type === 'commandExecution') commands.push(item);
    return false;
  };
  viewer.heard(watch);
  const answered = viewer.answered();
  await product.ask(`[[run times=${times} tty=${tty}]] ${cmd}`);
  await answered;
  viewer.close();
  await product.closeSession();
  if (commands.length !== times || commands.some(({ exitCode }) => exitCode !== 0))
    throw new Error(
      `${commands.length} of ${times} commands came, the last ${JSON.stringify(commands.at(-1))}`,
    );
  return commands;
}
