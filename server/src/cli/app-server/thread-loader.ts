/** Makes the sessions of threads: new ones, and those whose files are there. */
import { mkdirSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { v7 as uuid } from 'uuid';
import type { Config } from '../../base/config/config.ts';
import type { ConfigPlace, ConfigStore } from '../../base/config/config-store.ts';
import { Failure, messageOf } from '../../base/errors.ts';
import { defaultModel } from '../../runtime/model-access.ts';
import type { SessionRuntime } from '../../runtime/runtime.ts';
import { type SessionRow, UNTOUCHED } from '../../runtime/session-rows.ts';
import { rolloutPath } from '../../session/rollout.ts';
import type { AgentProcess } from '../agent-process.ts';
import { type AgentListener, StartedAgents } from '../started-agents.ts';
import type { ThreadFacts } from './thread-files.ts';
import type { ThreadSettings } from './thread-params.ts';

/** The workspace that these sessions' images are kept under. */
export const WORKSPACE = 'app-server';

/** Tools whose effect no client could see or end. */
const POINTLESS = ['clock'];

export type Configured = { config: Config; place: ConfigPlace };

export class ThreadLoader {
  readonly #probed: Promise<unknown>;
  /** By what clients have set over the configuration. */
  readonly #configs = new Map<string, Promise<ConfigStore>>();

  constructor(
    private readonly agents: AgentProcess,
    /** Where a thread works that does not say. */
    private readonly here: string,
  ) {
    this.#probed = agents.sandbox.again();
    this.#probed.catch(() => undefined); // told by whoever waits for it
  }

  /** Resolves once nothing of it runs any more: the probe writes where the process keeps its files. */
  async settled(): Promise<void> {
    await this.#probed.catch(() => undefined);
  }

  /** Throws `thread.cwd`, `thread.provider`, and what is wrong with the configuration. */
  async configured(settings: ThreadSettings, cwd: string | null): Promise<Configured> {
    const directory = existing(resolve(this.here, settings.cwd ?? cwd ?? '.'));
    const configs = await this.#configsFor(settings.config ?? {});
    const place = { profile: configs.current.profile, directory, workspaces: [] };
    const config = await configs.of(place);
    expectProvider(settings.modelProvider, config);
    const { instructions } = config;
    const { baseInstructions: base, developerInstructions: developer } = settings;
    return {
      place,
      config: {
        ...config,
        instructions: {
          ...instructions,
          ...(base ? { override: base } : {}),
          ...(developer ? { developer } : {}),
        },
        disabledTools: [...config.disabledTools, ...POINTLESS],
        // whoever starts this program and speaks to it may say so, as with a flag
        unattended: true,
      },
    };
  }

  /** Each watches files: clients that say the same for every thread have one of them. */
  #configsFor(config: Record<string, unknown>): Promise<ConfigStore> {
    const overrides = Object.entries(config).map(([key, value]) => `${key}=${tomlOf(value)}`);
    if (overrides.length === 0) return Promise.resolve(this.agents.configs);
    const key = JSON.stringify(overrides);
    const known = this.#configs.get(key);
    if (known) return known;
    const opening = this.agents.configsWith(overrides);
    this.#configs.set(key, opening);
    opening.catch(() => this.#configs.delete(key)); // whoever asked for it is told
    return opening;
  }

  /** A new one. */
  rowOfNew(
    settings: ThreadSettings & { ephemeral?: boolean | null | undefined },
    configured: Configured,
  ): SessionRow {
    const id = uuid();
    const now = new Date();
    const path = rolloutPath(configured.config.codexHome, id, now);
    return this.#row(settings, configured, {
      ...{ id, createdAt: now.toISOString() },
      path: settings.ephemeral ? join(this.ephemeralFolder(), basename(path)) : path,
    });
  }

  rowOf(facts: ThreadFacts, settings: ThreadSettings, configured: Configured): SessionRow {
    const { id, path, createdAt, name } = facts;
    const { model } = configured.config;
    // one of another provider is none that this one has
    const same = model.kind === 'configured' && facts.modelProvider === model.provider.id;
    const used = settings.model ?? (same ? facts.model : null);
    const at = new Date(createdAt).toISOString();
    return {
      ...this.#row({ ...settings, model: used }, configured, { id, path, createdAt: at }),
      title: name,
    };
  }

  /** Throws `session.locked`, and what loading throws. `listener`: told of the agents that its agent starts. */
  async load(
    row: SessionRow,
    { config, place }: Configured,
    listener: AgentListener,
  ): Promise<{ session: SessionRuntime; agents: StartedAgents }> {
    // what confines nothing need not wait for what the machine can do
    if ((row.sandbox ?? config.permissions.sandbox) !== 'danger-full-access') await this.#probed;
    const directory = async (asked: string) => existing(resolve(row.cwd, asked));
    const agents = new StartedAgents(this.agents, { config, place, directory }, listener);
    const session = await this.agents.load(row, { config, place, directory, family: agents.family(row) });
    return { session, agents };
  }

  #row(
    { model, approvalPolicy, sandbox }: ThreadSettings,
    { config, place }: Configured,
    { id, path, createdAt }: { id: string; path: string; createdAt: string },
  ): SessionRow {
    return {
      ...UNTOUCHED,
      ...{ id, workspaceId: WORKSPACE, title: null, cwd: place.directory, backend: 'native', effort: null },
      ...{ model: model ?? defaultModel(config), profile: config.profile, rolloutPath: path },
      ...{ createdAt, lastActivityAt: createdAt, sandbox: sandbox ?? null, approval: approvalPolicy ?? null },
    };
  }

  /** Where the files of threads lie that leave nothing. */
  ephemeralFolder(): string {
    const dir = join(this.agents.dir, 'ephemeral');
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    return dir;
  }
}

/** Throws `thread.cwd`. */
function existing(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new Failure('unavailable', 'thread.cwd', `cannot work in ${path}: ${messageOf(error)}`);
  }
}

/** Throws `thread.provider`. */
function expectProvider(asked: string | null | undefined, { model, file }: Config): void {
  const own = model.kind === 'configured' ? model.provider.id : null;
  if (asked == null || asked === own) return;
  throw new Failure(
    'invalid',
    'thread.provider',
    `modelProvider ${JSON.stringify(asked)} is not the one that ${file} names${own ? ` (${own})` : ''}: set model_provider there, or start with -c model_provider=${asked}`,
  );
}

/** What JSON has, TOML has; an object is an inline table. */
function tomlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(tomlOf).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? '');
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)} = ${tomlOf(inner)}`);
  return `{ ${entries.join(', ')} }`;
}
