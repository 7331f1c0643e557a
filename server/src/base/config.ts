/**
 * The configuration: `$CODEX_HOME/config.toml`, a profile and the environment, resolved to one frozen value. What
 * is not about the model has a default; a model is either resolved completely, not configured at all, or broken.
 */
import { dirname, join, resolve } from 'node:path';
import { readSettings } from './config-file.ts';
import { type Env, withDotenv } from './dotenv.ts';
import { type ModelConfig, resolveModel } from './model-config.ts';

export type ApprovalPolicy = 'untrusted' | 'on-request' | 'never';
export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access';

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
