/**
 * From the model's socket through Codex's app-server to a viewer: a session on Codex, beside a bare relay of the same
 * program's output to WebSocket clients.
 */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { stream, warmUp } from './delivery.mjs';
import { UNATTENDED } from './exec-run.mjs';
import { forkServer, stop } from './processes.mjs';
import { Product } from './product.mjs';
import { medians } from './statistics.mjs';
import { Viewer } from './viewer.mjs';

const ROUNDS = 3;

/** Milliseconds; null without `codex`, the path of its program. */
export async function measureCodexLatency(model, codex) {
  if (codex === null) return null;
  const named = `tscodex.codex_bin = ${JSON.stringify(codex)}\ntscodex.backend = "codex"\n`;
  const product = await Product.start(model.url, UNATTENDED + named);
  const floor = await CodexRelay.start(codex, model.url);
  try {
    for (const side of [product, floor]) await warmUp(side);
    const runs = { product: [], floor: [] };
    for (let round = 0; round < ROUNDS; round++)
      for (const side of [product, floor]) runs[side.name].push(await stream(side, 1));
    return { product: medians(runs.product), floor: medians(runs.floor) };
  } finally {
    await Promise.all([product.stop(), floor.stop()]);
  }
}

/** The floor as a side of the comparison, with the methods of the product. */
class CodexRelay {
  name = 'floor';

  static async start(codex, modelUrl) {
    const dir = await mkdtemp(join(tmpdir(), 'bench-codex-relay-'));
    const [home, work] = [join(dir, 'codex'), join(dir, 'work')];
    await Promise.all([mkdir(home), mkdir(work)]);
    const provider = `model = "bench"\nmodel_provider = "bench"\n[model_providers.bench]\nname = "bench"\nbase_url = "${modelUrl}"\n`;
    await writeFile(join(home, 'config.toml'), UNATTENDED + provider);
    const env = { PATH: process.env.PATH, HOME: dir, CODEX_HOME: home };
    const started = await forkServer('floor/codex-relay.mjs', [codex], { cwd: work, env });
    return Object.assign(new CodexRelay(), { dir, ...started });
  }

  get pid() {
    return this.child.pid;
  }

  async openSession() {
    // there is one, from the start
  }

  async ask(text) {
    this.asking ??= await this.watch(() => undefined);
    this.asking.socket.send(text);
  }

  async watch(onText) {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/`);
    const viewer = new Viewer(socket, ({ method, params }) => {
      if (method === 'item/agentMessage/delta') onText(params.delta);
      return method === 'turn/completed';
    });
    await once(socket, 'open');
    return viewer;
  }

  async stop() {
    await stop(this.child);
    await rm(this.dir, { recursive: true, force: true });
  }
}
