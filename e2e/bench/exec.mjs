/** From the start of `tscodex exec` to its end, for an answer of a few words; beside it `codex exec`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execRun, TSCODEX } from './exec-run.mjs';
import { medians } from './statistics.mjs';

const ROUNDS = 9;

/** Milliseconds. `codex`: the path of its program, or null. */
export async function measureExec(model, codex) {
  const dir = await mkdtemp(join(tmpdir(), 'bench-exec-'));
  const timed = async (command) => {
    const start = performance.now();
    await execRun(command, dir, model.url, '[[words deltas=1 rate=1000]] hello');
    return performance.now() - start;
  };
  try {
    const runs = [];
    for (let round = 0; round < ROUNDS; round++)
      runs.push({ ms: await timed(TSCODEX), ...(codex && { floorMs: await timed([codex]) }) });
    return medians(runs);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
