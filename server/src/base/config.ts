/**
 * The configuration: `$CODEX_HOME/config.toml`, a profile and the environment, resolved to one frozen value. What
 * is not about the model has a default; a model is either resolved completely, not configured at all, or broken.
 */
import { dirname, join, resolve } from 'node:path';
import {
  type ApprovalPolicy,
  approvalPolicy,
  type Permissions,
  type SandboxMode,
} from '@tscodex/shared/permissions';
import { readSettings } from './config-file.ts';
import { type Hook, readHooks } from './config-hooks.ts';
import type { Settings } from './config-schema.ts';
import { type Env, withDotenv } from './dotenv.ts';
import { keyVariables, type ModelConfig, resolveModel } from './model-config.ts';
import { type ModelOverrides, type Prices, readModelOverrides, readPrices } from './model-overrides.ts';

export type Config = {
  codexHome: string;
  /** The config file, whether it exists or not. */
  file: string;
  profile: string | null;
  model: ModelConfig;
  /** What a workspace and a session may set otherwise. */
  permissions: Permissions;
  /** The configuration itself says `never` and `danger-full-access`: nobody is asked and nothing is confined. */
  unattended: boolean;
  /** What is meant otherwise than it is written: sentences for the log. */
  notices: readonly string[];
  sandbox: SandboxSettings;
  environment: EnvironmentPolicy;
  /** The environment variables that hold keys of providers. */
  keyVariables: readonly string[];
  instructions: Instructions;
  /** Of all AGENTS.md of a project together; undefined: as many as they are. */
  projectDocMaxBytes?: number;
  /** The names of the tools an agent has, in their order; null: all. */
  toolset: readonly string[] | null;
  prices: Prices;
  hooks: readonly Hook[];
  /** By a model's name: what is known of it otherwise. */
  models: Readonly<Record<string, ModelOverrides>>;
};

/** What users have an agent told; undefined where they say nothing. */
export type Instructions = {
  /** Instead of all base instructions, from the command line. */
  override?: string;
  base?: string;
  /** A file with base instructions; absolute. */
  file?: string;
  developer?: string;
  user?: string;
  personality?: string;
  /** How a conversation is to be summed up. */
  compactPrompt?: string;
};

/** How `workspace-write` is meant, and what confines; from `[sandbox_workspace_write]` and `[tscodex]`. */
export type SandboxSettings = {
  /** Absolute. */
  writableRoots: readonly string[];
  /** Whether `/tmp`, and what TMPDIR names, are writable. */
  slashTmp: boolean;
  tmpdir: boolean;
  /** Whether commands may open unix sockets where the network is off. */
  unixSockets: boolean;
  /** The bubblewrap to use. */
  bwrap: string;
};

/** Which variables commands get: Codex's `[shell_environment_policy]`. Patterns hold `*` and `?`, in any case. */
export type EnvironmentPolicy = {
  /** `core`: our list of harmless ones. `all`: everything but what looks like a secret. */
  inherit: 'all' | 'core' | 'none';
  /** Also what looks like a secret. */
  secrets: boolean;
  exclude: readonly string[];
  set: Readonly<Record<string, string>>;
  /** Empty: no restriction. */
  includeOnly: readonly string[];
};

/** `on-failure` and Codex's table of single cases ask at least as often. */
const ON_REQUEST_INSTEAD =
  'this approval_policy is taken as "on-request": people are asked when a command is to do more than its sandbox lets it';

/** Where the configuration comes from. */
export type ConfigSource = {
  codexHome: string;
  /** Instead of `config.toml` in `codexHome`; must exist. */
  configPath?: string;
  profile?: string;
  env: Env;
  /** From the command line: they win. */
  sandboxMode?: SandboxMode;
  approvalPolicy?: ApprovalPolicy | 'on-failure';
  systemPrompt?: string;
  toolset?: readonly string[];
};

/**
 * Reads it all. The model part never throws: what is wrong with it is told in the session. Throws `Failure` for a
 * file that cannot be read or parsed, a value of the wrong type, an unknown profile.
 */
export function loadConfig(source: ConfigSource): Config {
  const file = resolve(source.configPath ?? join(source.codexHome, 'config.toml'));
  const settings = readSettings(file, {
    required: source.configPath !== undefined,
    profile: source.profile,
  });
  const env = withDotenv(source.env, join(dirname(file), '.env'));
  const sandbox = source.sandboxMode ?? settings.sandbox_mode ?? 'workspace-write';
  const asked = source.approvalPolicy ?? settings.approval_policy ?? 'on-request';
  const known = approvalPolicy.safeParse(asked);
  const approval = known.data ?? 'on-request';
  const sandboxTable = settings.sandbox_workspace_write ?? {};
  const environment = settings.shell_environment_policy ?? {};
  const hooks = readHooks(settings.hooks ?? {});
  return Object.freeze({
    codexHome: source.codexHome,
    file,
    profile: source.profile ?? null,
    model: resolveModel(settings, file, env),
    permissions: {
      sandbox,
      approval,
      network: sandboxTable.network_access ?? false,
    },
    notices: [
      ...(known.success
        ? []
        : [`${source.approvalPolicy ? '--ask-for-approval' : file}: ${ON_REQUEST_INSTEAD}`]),
      ...hooks.notices.map((text) => `${file}: ${text}`),
    ],
    unattended: sandbox === 'danger-full-access' && approval === 'never',
    sandbox: {
      writableRoots: (sandboxTable.writable_roots ?? []).map((path) => resolve(dirname(file), path)),
      slashTmp: !sandboxTable.exclude_slash_tmp,
      tmpdir: !sandboxTable.exclude_tmpdir_env_var,
      unixSockets: settings.tscodex?.unix_sockets ?? false,
      bwrap: settings.tscodex?.bwrap ?? '/usr/bin/bwrap',
    },
    environment: {
      inherit: environment.inherit ?? 'core',
      secrets: environment.ignore_default_excludes ?? false,
      exclude: environment.exclude ?? [],
      set: environment.set ?? {},
      includeOnly: environment.include_only ?? [],
    },
    keyVariables: keyVariables(settings),
    instructions: instructionsOf(settings, source, dirname(file)),
    projectDocMaxBytes: settings.project_doc_max_bytes,
    toolset: source.toolset ?? settings.tscodex?.toolset ?? null,
    prices: readPrices(settings),
    hooks: hooks.hooks,
    models: readModelOverrides(settings),
  });
}

function instructionsOf(settings: Settings, { systemPrompt }: ConfigSource, folder: string): Instructions {
  return {
    override: systemPrompt,
    base: settings.base_instructions,
    file: settings.model_instructions_file && resolve(folder, settings.model_instructions_file),
    developer: settings.developer_instructions,
    user: settings.user_instructions,
    personality: settings.personality,
    compactPrompt: settings.compact_prompt,
  };
}
