/** The product as a side of the comparison: a server that is asked for an answer and watched over a socket. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { freePort, startTimed, stop } from './processes.mjs';
import { Viewer } from './viewer.mjs';

const serverBin = createRequire(import.meta.url).resolve('tscodex/dist/tscodex-ws.js');
const PASSWORD = 'only for this bench';

/** The built server on a directory of its own. */
export class Product {
  name = 'product';

  /** `settings` go into its config.toml. */
  static async start(modelUrl, settings = '') {
    const product = new Product();
    product.dir = await mkdtemp(join(tmpdir(), 'tscodex-bench-'));
    product.port = await freePort();
    const codexHome = join(product.dir, 'codex');
    await Promise.all([mkdir(codexHome), mkdir(join(product.dir, 'work'))]);
    const toml = `${settings}model = "bench"\nmodel_provider = "bench"\n[model_providers.bench]\nname = "bench"\nbase_url = "${modelUrl}"\n`;
    await writeFile(join(codexHome, 'config.toml'), toml);
    await writeFile(
      join(product.dir, 'workspaces.json'),
      JSON.stringify({ workspaces: [{ id: 'bench', work_dir: join(product.dir, 'work') }] }),
    );
    await product.launch();
    return product;
  }

  /** @returns the milliseconds to the first answer */
  async launch() {
    const flags = ['--workspace-config', 'workspaces.json', '--log-level', 'warn'];
    const env = { PATH: process.env.PATH, HOME: this.dir, CODEX_HOME: join(this.dir, 'codex') };
    const { child, ms } = await startTimed(
      [serverBin, '--listen', `127.0.0.1:${this.port}`, ...flags],
      this.port,
      {
        cwd: this.dir,
        env: { ...env, TSCODEX_PASSWORD: PASSWORD },
      },
    );
    this.child = child;
    return ms;
  }

  async openSession() {
    const { session } = await this.post('api/workspaces/bench/sessions', {});
    this.session = session.id;
  }

  async closeSession() {
    const url = `http://127.0.0.1:${this.port}/api/sessions/${this.session}`;
    const response = await fetch(url, { method: 'DELETE', headers: this.headers() });
    if (!response.ok) throw new Error(`DELETE session: ${response.status} ${await response.text()}`);
  }

  get pid() {
    return this.child.pid;
  }

  get pageUrl() {
    return `http://127.0.0.1:${this.port}/w/bench/?session=${this.session}`;
  }

  async logIn(page) {
    await page.goto(`http://127.0.0.1:${this.port}/login`);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.waitForURL((url) => url.pathname === '/');
  }

  ask(text) {
    return this.post(`api/sessions/${this.session}/inputs`, { id: randomUUID(), text });
  }

  async watch(onText) {
    const socket = new WebSocket(`ws://127.0.0.1:${this.port}/api/socket`, { headers: this.headers() });
    const viewer = new Viewer(socket, (frame) => {
      for (const event of frame.events ?? []) {
        if (event.type === 'item.delta') onText(event.delta);
        if (event.type === 'turn.completed') return true;
      }
      return false;
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'subscribe', session: this.session }));
    await viewer.heard((frame) => frame.type === 'snapshot');
    return viewer;
  }

  /** Where a crowd listens. */
  place() {
    return {
      url: `ws://127.0.0.1:${this.port}/api/socket`,
      headers: this.headers(),
      greeting: JSON.stringify({ type: 'subscribe', session: this.session }),
    };
  }

  async post(path, body) {
    const url = `http://127.0.0.1:${this.port}/${path}`;
    const headers = { ...this.headers(), 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }

  headers() {
    return { authorization: `Bearer ${PASSWORD}` };
  }

  async stop() {
    await stop(this.child);
    await rm(this.dir, { recursive: true, force: true });
  }
}
