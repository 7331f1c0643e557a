/** The tables of Codex's `config.toml` that mean something here, and our own `[tscodex]`. */
import { isAbsolute } from 'node:path';
import { approvalPolicy as approvals, sandboxMode } from '@tscodex/shared/permissions';
import { backend } from '@tscodex/shared/workspace';
import * as z from 'zod';

/** Node's timers cannot wait longer. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

const strings = z.record(z.string(), z.string());

/** Who decides where a Codex that an agent has started wants more than its sandbox lets it: nobody, Codex's reviewer. */
const oneShotMode = z.enum(['never', 'approve-for-me', 'dangerously-bypass-approvals-and-sandbox']);
export type OneShotMode = z.infer<typeof oneShotMode>;

const providerTable = z.object({
  name: z.string().optional(),
  base_url: z.string().optional(),
  env_key: z.string().optional(),
  /** The key itself, where a file is the only place for it. */
  experimental_bearer_token: z.string().optional(),
  http_headers: strings.optional(),
  env_http_headers: strings.optional(),
  query_params: strings.optional(),
  request_max_retries: z.int().nonnegative().optional(),
  stream_max_retries: z.int().nonnegative().optional(),
  stream_idle_timeout_ms: z.int().positive().max(LONGEST_TIMER_MS).optional(),
  wire_api: z.string().optional(),
});
export type ProviderTable = z.infer<typeof providerTable>;

/** Codex also takes `on-failure` and a table here. */
const approvalPolicy = z.union([approvals, z.literal('on-failure'), z.looseObject({})], {
  error: `expected one of ${approvals.options.map((one) => JSON.stringify(one)).join('|')}`,
});

const sandboxTable = z.object({
  writable_roots: z.array(z.string()).optional(),
  network_access: z.boolean().optional(),
  exclude_tmpdir_env_var: z.boolean().optional(),
  exclude_slash_tmp: z.boolean().optional(),
});

const environmentTable = z.object({
  inherit: z.enum(['all', 'core', 'none']).optional(),
  ignore_default_excludes: z.boolean().optional(),
  exclude: z.array(z.string()).optional(),
  set: strings.optional(),
  include_only: z.array(z.string()).optional(),
});

const modelTable = z.object({
  context_window: z.int().positive().optional(),
  effective_context_window_percent: z.number().positive().max(100).optional(),
  efforts: z.array(z.string()).optional(),
  default_effort: z.string().optional(),
  verbosity: z.string().optional(),
  service_tiers: z.array(z.string()).optional(),
  responses_lite: z.boolean().optional(),
  images: z.boolean().optional(),
  tool_style: z.enum(['freeform', 'function']).optional(),
});

const priceTable = z.object({
  input: z.number().nonnegative(),
  cached_input: z.number().nonnegative().optional(),
  output: z.number().nonnegative(),
});

/** A Codex that an agent starts for one task. */
const oneShotTable = z.object({
  permission_mode: oneShotMode.optional(),
  timeout_sec: z
    .number()
    .positive()
    .max(LONGEST_TIMER_MS / 1000)
    .optional(),
  grace_sec: z.number().nonnegative().max(60).optional(),
  env: strings.optional(),
});

const tscodexTable = z.object({
  backend: backend.optional(),
  codex_silence_minutes: z.number().positive().max(1440).optional(),
  codex_bin: z.string().refine(isAbsolute, 'expected an absolute path').optional(),
  codex_reconnect_seconds: z
    .int()
    .positive()
    .max(Math.floor(LONGEST_TIMER_MS / 1000))
    .optional(),
  bwrap: z.string().refine(isAbsolute, 'expected an absolute path').optional(),
  unix_sockets: z.boolean().optional(),
  subagent_codex: oneShotTable.optional(),
  toolset: z.array(z.string()).optional(),
  models: z.record(z.string(), modelTable).optional(),
  currency: z.string().optional(),
  prices: z.record(z.string(), priceTable).optional(),
});

/** Codex's switches of single tools: a boolean, or a table that says more. */
const toolSwitch = z.union([z.boolean(), z.looseObject({ enabled: z.boolean().optional() })], {
  error: 'expected boolean or table',
});
const toolsTable = z.object({
  web_search: toolSwitch.optional(),
  view_image: toolSwitch.optional(),
  update_plan: toolSwitch.optional(),
});

/** Codex's switch for agents that start others; `collab` is its older name. */
const featuresTable = z.union(
  [z.looseObject({ multi_agent: z.boolean().optional(), collab: z.boolean().optional() })],
  { error: 'expected table' },
);

/** Its other keys are Codex's: roles, by the names that users give them. */
const agentsTable = z.union(
  [
    z.looseObject({
      max_threads: z.int().positive().optional(),
      max_depth: z.int().nonnegative().optional(),
    }),
  ],
  { error: 'expected table' },
);

const projectTable = z.object({ trust_level: z.enum(['trusted', 'untrusted']).optional() });

export const settings = z.object({
  model: z.string().optional(),
  model_provider: z.string().optional(),
  model_reasoning_effort: z.string().optional(),
  model_reasoning_summary: z.string().optional(),
  model_verbosity: z.string().optional(),
  model_context_window: z.int().positive().optional(),
  model_auto_compact_token_limit: z.int().positive().optional(),
  service_tier: z.string().optional(),
  approval_policy: approvalPolicy.optional(),
  sandbox_mode: sandboxMode.optional(),
  sandbox_workspace_write: sandboxTable.optional(),
  shell_environment_policy: environmentTable.optional(),
  /** What is ours alone; Codex says that it ignores it. */
  tscodex: tscodexTable.optional(),
  base_instructions: z.string().optional(),
  developer_instructions: z.string().optional(),
  user_instructions: z.string().optional(),
  model_instructions_file: z.string().optional(),
  compact_prompt: z.string().optional(),
  personality: z.string().optional(),
  project_doc_max_bytes: z.int().nonnegative().optional(),
  project_doc_fallback_filenames: z.array(z.string()).optional(),
  tools: toolsTable.optional(),
  features: featuresTable.optional(),
  agents: agentsTable.optional(),
  model_providers: z.record(z.string(), providerTable).optional(),
  projects: z.record(z.string(), projectTable).optional(),
  /** The profile to use where none is named. */
  profile: z.string().optional(),
  profiles: z.record(z.string(), z.unknown()).optional(),
  // of these a broken entry is left out and named: `config-hooks`, `mcp-settings`
  hooks: z.unknown().optional(),
  mcp_servers: z.unknown().optional(),
});
export type Settings = z.infer<typeof settings>;
