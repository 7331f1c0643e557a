/**
 * What a step of the agent costs: a model that answers at once calls a command that does nothing, many times in one
 * turn. Beside it, where it is there, `codex exec` with the same model and the same calls.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execRun, UNATTENDED } from './exec-run.mjs';
import { Product } from './product.mjs';
import { medians } from './statistics.mjs';

const ROUNDS = 3;
export const STEPS = 50;
const directive = (steps) => `[[run times=${steps} tty=0]] true`;

/** Milliseconds a step: a turn of `STEPS` without one of a single step. `codex`: the path of its program, or null. */
export async function measureToolLoop(model, codex) {
  const product = await Product.start(model.url, UNATTENDED);
  const dir = await mkdtemp(join(tmpdir(), 'bench-tool-loop-'));
  try {
    const runs = [];
    for (let round = 0; round < ROUNDS; round++)
      runs.push({
        ms: await perStep((steps) => turnOf(product, steps)),
        ...(codex && { floorMs: await perStep((steps) => codexExec(codex, dir, model.url, steps)) }),
      });
    return medians(runs);
  } finally {
    await product.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function perStep(run) {
  const [one, many] = [await timed(() => run(1)), await timed(() => run(STEPS + 1))];
  return (many - one) / STEPS;
}

async function turnOf(product, steps) {
  await product.openSession();
  const viewer = await product.watch(() => undefined);
  const answered = viewer.answered();
  await product.ask(directive(steps));
  await answered;
  viewer.close();
}

async function codexExec(program, dir, modelUrl, steps) {
  const printed = await execRun([program], dir, modelUrl, directive(steps));
  const commands = printed.match(/"type":"item.completed".*"command_execution"/g)?.length;
  if (commands !== steps) throw new Error(`codex exec has run ${commands} of ${steps} commands`);
}

async function timed(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
