/** For tests without a browser: a scripted provider, and servers over it as a test wants them; all gone after it. */
import { test as base } from '@playwright/test';
import { FakeModel } from './fake-model.ts';
import { Box, type RunningServer } from './server.ts';

export type SceneOptions = {
  /** Settings beside the provider's; the whole config.toml where `modelUrl` is null. */
  toml?: string;
  /** null: the file names no provider. */
  modelUrl?: string | null;
  args?: string[];
  env?: Record<string, string>;
  /** Whether the machine confines commands. */
  confined?: boolean;
};

/** A running server with one empty session. */
export class Scene {
  private constructor(
    readonly box: Box,
    readonly args: string[],
    public server: RunningServer,
    readonly session: string,
  ) {}

  static async open({ toml = '', modelUrl, args = [], env, confined }: SceneOptions): Promise<Scene> {
    const box = await Box.make({ toml, confined, ...(modelUrl ? { modelUrl } : {}) });
    const server = await box.start(args, env);
    return new Scene(box, args, server, await server.newSession());
  }

  /** Ends the server politely and starts it again with the same flags. */
  async restart(env?: Record<string, string>): Promise<void> {
    await this.server.kill('SIGTERM');
    this.server = await this.box.start(this.args, env);
  }

  async remove(): Promise<void> {
    await this.server.kill();
    await this.box.remove();
  }
}

type Fixtures = { model: FakeModel; open(options?: SceneOptions): Promise<Scene> };

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: the runner reads from it what this depends on
  model: async ({}, use) => {
    const model = await FakeModel.start();
    await use(model);
    await model.stop();
  },

  open: async ({ model }, use) => {
    const scenes: Scene[] = [];
    await use(async (options = {}) => {
      const scene = await Scene.open({ modelUrl: model.url, ...options });
      scenes.push(scene);
      return scene;
    });
    for (const scene of scenes) await scene.remove();
  },
});
