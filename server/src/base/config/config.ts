/**
 * The configuration, resolved to one frozen value from its layers (`config-store` reads them) and the environment.
 * What is not about the model has a default; a model is either resolved completely, not configured at all, or broken.
 */
import type { Permissions } from '@tscodex/shared/permissions';
import type { Backend } from '@tscodex/shared/workspace';
import type { Hooks } from './config-hooks.ts';
import type { ConfigLayer, LayerSettings } from './config-layer.ts';
import type { OneShotMode } from './config-schema.ts';
import type { Env } from './dotenv.ts';
import type { McpServer } from './mcp-settings.ts';
import { keyVariables, type ModelConfig, namedVariables, resolveModel } from './model-config.ts';
import { type ModelOverrides, type Prices, readModelOverrides, readPrices } from './model-overrides.ts';

export type Config = Hooks & {
  codexHome: string;
  /** The config file, whether it exists or not. */
  file: string;
  profile: string | null;
  model: ModelConfig;
  /** What a workspace and a session may set otherwise. */
  permissions: Permissions;
  /** The configuration itself says `never` and `danger-full-access`: nobody is asked and nothing is confined. */
  unattended: boolean;
  sandbox: SandboxSettings;
  environment: EnvironmentPolicy;
  /** The environment variables that hold keys of providers. */
  keyVariables: readonly string[];
  /** What drives new sessions where nothing else is said. */
  backend: Backend;
  codex: CodexSettings;
  instructions: Instructions;
  /** Of all AGENTS.md of a project together; undefined: what is usual. */
  projectDocMaxBytes?: number;
  /** Names of files that count in a folder of a project without AGENTS.md. */
  projectDocFallbacks?: readonly string[];
  /** The names of the tools an agent has, in their order; null: all. */
  toolset: readonly string[] | null;
  prices: Prices;
  /** Tools that are switched off one by one. */
  disabledTools: readonly string[];
  mcpServers: readonly McpServer[];
  agents: AgentLimits;
  /** By a model's name: what is known of it otherwise. */
  models: Readonly<Record<string, ModelOverrides>>;
};

/** Of the user's own Codex, as the agent of a session. */
export type CodexSettings = {
  /** How long it may say nothing, one process a turn. */
  silenceMs: number;
  /** Its program, absolute; null: the one on PATH. */
  bin: string | null;
  /** For how long it may try in vain to reach its provider before the turn is given up. */
  reconnectSeconds: number;
  /** What its providers and MCP servers are to find in its environment. A secret: behind a function. */
  variables(): Record<string, string>;
  oneShot: OneShotSettings;
};

/** Of a Codex that an agent starts for one task. */
export type OneShotSettings = {
  /** Whether agents have a tool of its own for it. */
  hasTool: boolean;
  mode: OneShotMode;
  /** From its start to its answer. */
  timeoutMs: number;
  /** Between the steps of its end. */
  graceMs: number;
  /** What its environment has beyond the usual, and instead of it. A secret: behind a function. */
  variables(): Record<string, string>;
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

/** Of the agents that an agent may start. */
export type AgentLimits = {
  /** How many of one agent may be open at a time. */
  maxThreads: number;
  /** How many generations there may be below a session that people have begun; 0: none. */
  maxDepth: number;
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

/** Where a configuration comes from. */
export type ConfigParts = {
  codexHome: string;
  file: string;
  profile: string | null;
  /** All layers, joined. */
  layer: ConfigLayer;
  env: Env;
  systemPrompt: string | undefined;
};

/** Bytes; a project may set it as well, and a file that has as many may be nothing but a hole. */
const MOST_PROJECT_DOC = 1024 * 1024;

/** A model may think long, and nothing is heard of it meanwhile. */
const SILENCE_MINUTES = 30;

/** Never throws: what is wrong with the model is told in the session. */
export function resolveConfig({ codexHome, file, profile, layer, env, systemPrompt }: ConfigParts): Config {
  const { settings, hooks, codexHooks, mcpServers } = layer;
  const sandbox = settings.sandbox_mode ?? 'workspace-write';
  const approval = settings.approval_policy ?? 'on-request';
  const network = settings.sandbox_workspace_write?.network_access ?? false;
  return Object.freeze({
    ...{ codexHome, file, profile, hooks, codexHooks, mcpServers },
    model: resolveModel(settings, file, env),
    permissions: { sandbox, approval, network },
    unattended: sandbox === 'danger-full-access' && approval === 'never',
    sandbox: sandboxOf(settings),
    environment: environmentOf(settings),
    keyVariables: keyVariables(settings, mcpServers),
    backend: settings.tscodex?.backend ?? 'native',
    codex: codexOf(layer, env),
    instructions: instructionsOf(settings, systemPrompt),
    projectDocMaxBytes: projectDocMaxBytes(settings),
    projectDocFallbacks: settings.project_doc_fallback_filenames,
    toolset: settings.tscodex?.toolset ?? null,
    disabledTools: disabledTools(settings),
    agents: agentLimits(settings),
    prices: readPrices(settings),
    models: readModelOverrides(settings),
  });
}

function projectDocMaxBytes({ project_doc_max_bytes: said }: LayerSettings): number | undefined {
  return said === undefined ? undefined : Math.min(said, MOST_PROJECT_DOC);
}

function sandboxOf({ sandbox_workspace_write: table = {}, tscodex }: LayerSettings): SandboxSettings {
  return {
    writableRoots: table.writable_roots ?? [],
    slashTmp: !table.exclude_slash_tmp,
    tmpdir: !table.exclude_tmpdir_env_var,
    unixSockets: tscodex?.unix_sockets ?? false,
    bwrap: tscodex?.bwrap ?? '/usr/bin/bwrap',
  };
}

function codexOf({ settings, mcpServers }: ConfigLayer, env: Env): CodexSettings {
  const tscodex = settings.tscodex ?? {};
  const { codex_bin: bin = null, codex_silence_minutes: minutes = SILENCE_MINUTES } = tscodex;
  const named = namedVariables(settings, mcpServers);
  const variables = named.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...{ silenceMs: minutes * 60_000, bin, variables: () => Object.fromEntries(variables) },
    reconnectSeconds: tscodex.codex_reconnect_seconds ?? 300,
    oneShot: oneShotOf(tscodex.subagent_codex),
  };
}

function oneShotOf(table: NonNullable<LayerSettings['tscodex']>['subagent_codex']): OneShotSettings {
  const { permission_mode: mode = 'never', timeout_sec = 1800, grace_sec = 2, env = {} } = table ?? {};
  return {
    ...{ hasTool: table !== undefined, mode, variables: () => ({ ...env }) },
    ...{ timeoutMs: timeout_sec * 1000, graceMs: grace_sec * 1000 },
  };
}

function environmentOf({ shell_environment_policy: table = {} }: LayerSettings): EnvironmentPolicy {
  return {
    inherit: table.inherit ?? 'core',
    secrets: table.ignore_default_excludes ?? false,
    exclude: table.exclude ?? [],
    set: table.set ?? {},
    includeOnly: table.include_only ?? [],
  };
}

function instructionsOf(settings: LayerSettings, systemPrompt: string | undefined): Instructions {
  return {
    override: systemPrompt,
    base: settings.base_instructions,
    file: settings.model_instructions_file,
    developer: settings.developer_instructions,
    user: settings.user_instructions,
    personality: settings.personality,
    compactPrompt: settings.compact_prompt,
  };
}

function disabledTools({ tools = {} }: LayerSettings): string[] {
  const { web_search, view_image, update_plan } = tools;
  const isOff = (said: typeof web_search) =>
    said === false || (typeof said === 'object' && said.enabled === false);
  return Object.entries({ web_search, view_image, update_plan }).flatMap(([name, said]) =>
    isOff(said) ? [name] : [],
  );
}

/** Codex's defaults. */
function agentLimits({ agents = {}, features = {} }: LayerSettings): AgentLimits {
  const isOn = features.multi_agent ?? features.collab ?? true;
  return { maxThreads: agents.max_threads ?? 6, maxDepth: isOn ? (agents.max_depth ?? 1) : 0 };
}
