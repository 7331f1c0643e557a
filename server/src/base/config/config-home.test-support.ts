/** For tests: a CODEX_HOME of their own, and the configuration in it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Failure } from '../errors.ts';
import type { Config } from './config.ts';
import type { ConfigSource } from './config-source.ts';
import { ConfigStore } from './config-store.ts';
import type { ConfiguredModel, ModelConfig } from './model-config.ts';

/** Gone after the test, with the stores that were opened. */
export class ConfigHome {
  readonly dir = realpathSync(mkdtempSync(join(tmpdir(), 'tscodex-config-')));

  constructor() {
    onTestFinished(() => rmSync(this.dir, { recursive: true }));
  }

  /** The directories on the way are made. */
  write(text: string | Uint8Array, name = 'config.toml'): string {
    const path = join(this.dir, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  async open(more: Partial<ConfigSource> = {}): Promise<ConfigStore> {
    const toolNames = async () => ['exec_command', 'view_image'];
    const usual = { codexHome: this.dir, env: {}, cwd: this.dir, toolNames, hide: () => undefined };
    const store = await ConfigStore.open({ ...usual, ...more });
    onTestFinished(() => store.close());
    return store;
  }

  async load(env: Record<string, string> = {}, more: Partial<ConfigSource> = {}): Promise<Config> {
    return (await this.open({ env, ...more })).current;
  }
}

export async function failureOf(run: Promise<unknown>): Promise<Failure> {
  const error = await run.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Failure) return error;
  throw error ?? new Error('nothing was thrown');
}

export function configured(model: ModelConfig): ConfiguredModel {
  if (model.kind !== 'configured') throw new Error(JSON.stringify(model));
  return model;
}
