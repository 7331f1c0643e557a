/** The team's box of the tour: three workspaces, and people who send and decide over the API under their names. */
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FakeModel } from '../support/fake-model.ts';
import { Box, type RunningServer } from '../support/server.ts';
import type { Story } from './story.ts';

const loader = `from multiprocessing import Pool

def batches(paths, workers):
    for path in paths:
        yield decode(path)
`;

export class TeamBox {
  private constructor(
    readonly box: Box,
    readonly server: RunningServer,
  ) {}

  static async open(model: FakeModel, story: Story): Promise<TeamBox> {
    const names = ['vision-lab', 'paper', 'infra'];
    const workspaces = names.map((id) => ({ id, work_dir: id }));
    const toml = 'model_context_window = 131072\n';
    const box = await Box.make({ modelUrl: model.url, workspaces, toml, confined: true });
    for (const name of names) await mkdir(join(box.dir, name, '.tscodex'), { recursive: true });
    await writeFile(join(box.dir, 'vision-lab/loader.py'), loader);
    await writeFile(
      join(box.dir, 'vision-lab/Makefile'),
      'bench:\n\t@echo 790 images/s with $(WORKERS) workers\n',
    );
    await writeFile(join(box.dir, 'vision-lab/.tscodex/vision-lab.html'), story.board);
    await writeFile(join(box.dir, 'paper/.tscodex/paper.html'), story.outline);
    return new TeamBox(box, await box.start());
  }

  async close(): Promise<void> {
    await this.server.kill();
    await this.box.remove();
  }

  send(session: string, author: string, text: string, mode: 'steer' | 'queue' = 'steer'): Promise<unknown> {
    return this.#as(author, `api/sessions/${session}/inputs`, { id: randomUUID(), text, mode });
  }

  /** Waits for the next approval of a session and gives it. */
  async allow(session: string, who: string): Promise<void> {
    const { asks } = await this.server.until(session, (state) => state.asks.length > 0);
    await this.#as(who, `api/sessions/${session}/asks/${asks[0]?.id}`, { choice: 'once' });
  }

  async #as(name: string, path: string, body: unknown): Promise<void> {
    const { token, url } = this.server;
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        // a header holds bytes: the name's UTF-8
        'x-tscodex-name': Buffer.from(name).toString('latin1'),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
}
