/**
 * What a step of the agent costs: a model that answers at once calls a command that does nothing, many times in one
 * turn. Beside it, where it is there, `codex exec` with the same model and the same calls.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Product } from './product.mjs';
import { medians } from './statistics.mjs';

const UNATTENDED = 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n';
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
  const [home, work] = [join(dir, 'codex'), join(dir, 'work')];
  await Promise.all([mkdir(home, { recursive: true }), mkdir(work, { recursive: true })]);
  const provider = `[model_providers.bench]\nname = "bench"\nbase_url = "${modelUrl}"\nwire_api = "responses"\n`;
  await writeFile(
    join(home, 'config.toml'),
    `${UNATTENDED}model = "bench"\nmodel_provider = "bench"\n${provider}`,
  );
  const child = spawn(program, ['exec', '--skip-git-repo-check', '--json', directive(steps)], {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: dir, CODEX_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const [code] = await once(child, 'close');
  const commands = printed.match(/"type":"item.completed".*"command_execution"/g)?.length;
  if (code !== 0 || commands !== steps)
    throw new Error(`codex exec ended with ${code} after ${commands} of ${steps} commands`);
}

async function timed(run) {
  const start = performance.now();
  await run();
  return performance.now() - start;
}
