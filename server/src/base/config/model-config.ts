/** From settings and environment to a model that can be called, or to the sentence that says why not. */
import type { LayerSettings } from './config-layer.ts';
import type { ProviderTable } from './config-schema.ts';
import type { Env } from './dotenv.ts';
import type { McpServer } from './mcp-settings.ts';

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
  /** How often a turn's request is sent again: Codex's `stream_max_retries`. */
  maxRetries: number;
  /** How often one that was refused is, of that: Codex's `request_max_retries`. */
  requestMaxRetries: number;
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
  /** Tokens; a conversation that has as many is compacted. */
  autoCompactTokenLimit?: number;
  /** As it is written: `fast`, `flex`, … */
  serviceTier?: string;
  provider: ProviderSettings;
};

export type ModelConfig =
  | ConfiguredModel
  /** Neither a model, nor a provider, nor an API key anywhere: the demo model's case. */
  | { kind: 'none' }
  /** Half a configuration; the sentence says what is missing. */
  | { kind: 'broken'; problem: string };

/** What is asked for where an API key alone is set. */
const DEFAULT_MODEL = 'gpt-5.5';

/** Codex's own defaults. */
const MAX_RETRIES = 5;
const REQUEST_MAX_RETRIES = 4;
const IDLE_TIMEOUT_MS = 300_000;

export function resolveModel(settings: LayerSettings, file: string, env: Env): ModelConfig {
  const id = settings.model_provider ?? 'openai';
  const providers = knownProviders(settings, env);
  if (!settings.model && !settings.model_provider && !env.OPENAI_API_KEY?.trim())
    return settings.model_providers
      ? broken(`${file} describes providers, but sets neither model nor model_provider`)
      : { kind: 'none' };
  const name = settings.model ?? (id === 'openai' ? DEFAULT_MODEL : undefined);
  if (!name) return broken(`${file} sets model_provider = ${JSON.stringify(id)}, but no model`);
  const table = providers.get(id);
  if (!table)
    return broken(
      `${file}: model_provider ${JSON.stringify(id)} is not known; known are ${[...providers.keys()].join(', ')}. Add a [model_providers.${id}] table with its base_url`,
    );
  const provider = resolveProvider(id, table, env);
  if ('problem' in provider) return broken(`${file}: ${provider.problem}`);
  return Object.freeze({
    kind: 'configured',
    name,
    effort: settings.model_reasoning_effort,
    summary: settings.model_reasoning_summary,
    verbosity: settings.model_verbosity,
    contextWindow: settings.model_context_window,
    autoCompactTokenLimit: settings.model_auto_compact_token_limit,
    serviceTier: settings.service_tier,
    provider: Object.freeze(provider),
  });
}

const broken = (problem: string): ModelConfig => Object.freeze({ kind: 'broken', problem });

function knownProviders(settings: LayerSettings, env: Env): Map<string, ProviderTable> {
  const openai = {
    base_url: env.OPENAI_BASE_URL?.trim() || 'https://api.openai.com/v1',
    env_key: 'OPENAI_API_KEY',
    ...settings.model_providers?.openai,
  };
  return new Map(Object.entries({ ...settings.model_providers, openai }));
}

/** What every process has; a header may say it, and it is no secret. */
const COMMON = new Set('HOME HOSTNAME LANG LOGNAME PATH PWD SHELL TERM TMPDIR TZ USER'.split(' '));

/** The environment variables that hold keys of providers and of MCP servers, those that are not in use as well. */
export function keyVariables(settings: LayerSettings, mcpServers: readonly McpServer[]): string[] {
  return [...new Set(['OPENAI_API_KEY', ...namedVariables(settings, mcpServers)])];
}

/** Of these, the ones that the configuration names. */
export function namedVariables(settings: LayerSettings, mcpServers: readonly McpServer[]): string[] {
  const named = [
    ...Object.values(settings.model_providers ?? {}).flatMap(({ env_key, env_http_headers = {} }) => [
      env_key,
      ...Object.values(env_http_headers),
    ]),
    ...mcpServers.flatMap((server) =>
      server.transport === 'http' ? [server.bearerTokenEnvVar, ...Object.values(server.envHeaders)] : [],
    ),
  ].filter((name) => typeof name === 'string');
  const isHidden = (name: string) => !looksLikeKey(name) && !COMMON.has(name);
  return [...new Set(named)].filter(isHidden);
}

function resolveProvider(id: string, table: ProviderTable, env: Env): ProviderSettings | { problem: string } {
  const headers = { ...table.http_headers, ...headersFromEnv(table, env) };
  const problem =
    baseUrlProblem(id, table) ??
    wireProblem(id, table) ??
    keyProblem(id, table, env) ??
    headerProblem(id, headers);
  if (problem) return { problem };
  const written = table.env_key === undefined ? table.experimental_bearer_token : env[table.env_key];
  const key = written?.trim();
  return {
    id,
    baseUrl: table.base_url ?? '',
    queryParams: Object.freeze({ ...table.query_params }),
    apiKey: () => key,
    headers: () => ({ ...headers }),
    maxRetries: table.stream_max_retries ?? MAX_RETRIES,
    requestMaxRetries: table.request_max_retries ?? REQUEST_MAX_RETRIES,
    idleTimeoutMs: table.stream_idle_timeout_ms ?? IDLE_TIMEOUT_MS,
  };
}

function baseUrlProblem(id: string, table: ProviderTable): string | undefined {
  if (!table.base_url) return `provider ${id} has no base_url`;
  if (!URL.canParse(table.base_url)) return `the base_url of provider ${id} is not a URL`;
  const url = new URL(table.base_url);
  if (!/^https?:$/.test(url.protocol))
    return `the base_url of provider ${id} must begin with http:// or https://`;
  if (url.username || url.password)
    return `the base_url of provider ${id} holds a user name or password; put the key into a variable and name it in env_key`;
  return undefined;
}

function wireProblem(id: string, table: ProviderTable): string | undefined {
  if (table.wire_api === undefined || table.wire_api === 'responses') return undefined;
  return `provider ${id} has wire_api = ${JSON.stringify(table.wire_api)}; only "responses" is supported`;
}

function keyProblem(id: string, table: ProviderTable, env: Env): string | undefined {
  const name = table.env_key;
  if (name === undefined) return undefined;
  if (looksLikeKey(name))
    return `env_key of provider ${id} wants the name of an environment variable, but holds what looks like the key itself; export the key under a name and put that name there`;
  const key = env[name]?.trim();
  if (!key) return `provider ${id} needs an API key in the environment variable ${name}, which is not set`;
  if (!/^[\x21-\x7e]+$/.test(key))
    return `the environment variable ${name} (API key of provider ${id}) holds characters that no key has`;
  return undefined;
}

/** Anything that cannot be a variable's name, or is as long and mixed as keys are (`gsk_…`, `AIza…`). */
function looksLikeKey(name: string): boolean {
  return !/^[A-Za-z_]\w*$/.test(name) || (name.length >= 20 && /[a-z]/.test(name) && /\d/.test(name));
}

function headersFromEnv(table: ProviderTable, env: Env): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [header, name] of Object.entries(table.env_http_headers ?? {})) {
    const value = env[name]?.trim();
    if (value) found[header] = value;
  }
  return found;
}

/** Names the header alone: its value may be a secret. */
function headerProblem(id: string, headers: Record<string, string>): string | undefined {
  const bad = Object.entries(headers).find(
    ([name, value]) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value),
  );
  return bad && `the header ${JSON.stringify(bad[0])} of provider ${id} holds characters that no header has`;
}
