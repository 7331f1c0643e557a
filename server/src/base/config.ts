/**
 * The configuration: `$CODEX_HOME/config.toml`, a profile and the environment, resolved to one frozen value. What
 * is not about the model has a default; a model is either resolved completely, not configured at all, or broken.
 */
import { dirname, join, resolve } from 'node:path';
import { readSettings } from './config-file.ts';
import { type Env, withDotenv } from './dotenv.ts';
import { resolveModel } from './model-config.ts';

export type ApprovalPolicy = 'untrusted' | 'on-request' | 'never';
export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access';

/** A provider of the Responses API, ready to be called. Secrets sit behind functions, so that no log lists them. */
export type ProviderSettings = {
  /** Its key under `model_providers`: what messages call it. */
  id: string;
  baseUrl: string;
  /** Added to every URL's query. */
  queryParams: Readonly<Record<string, string>>;
  /** undefined: no `Authorization` header is sent. */
  apiKey(): string | undefined;
  /** `http_headers` and `env_http_headers`. */
  headers(): Record<string, string>;
  maxRetries: number;
  idleTimeoutMs: number;
};

export type ConfiguredModel = {
  kind: 'configured';
  name: string;
  effort?: string;
  summary?: string;
  verbosity?: string;
  /** Tokens; overrides what is known about the model. */
  contextWindow?: number;
  provider: ProviderSettings;
};

export type ModelConfig =
  | ConfiguredModel
  /** Neither a model, nor a provider, nor an API key anywhere: the demo model's case. */
  | { kind: 'none' }
  /** Half a configuration; the sentence says what is missing. */
  | { kind: 'broken'; problem: string };

export type Config = {
  codexHome: string;
  /** The config file, whether it exists or not. */
  file: string;
  profile: string | null;
  model: ModelConfig;
  approvalPolicy: ApprovalPolicy;
  sandboxMode: SandboxMode;
  developerInstructions?: string;
  /** Absolute. */
  modelInstructionsFile?: string;
};

/** Where the configuration comes from. */
export type ConfigSource = {
  codexHome: string;
  /** Instead of `config.toml` in `codexHome`; must exist. */
  configPath?: string;
  profile?: string;
  env: Env;
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
  return Object.freeze({
    codexHome: source.codexHome,
    file,
    profile: source.profile ?? null,
    model: resolveModel(settings, file, env),
    approvalPolicy: settings.approval_policy ?? 'on-request',
    sandboxMode: settings.sandbox_mode ?? 'workspace-write',
    developerInstructions: settings.developer_instructions,
    modelInstructionsFile:
      settings.model_instructions_file && resolve(dirname(file), settings.model_instructions_file),
  });
}
