/** Keys that nobody reads: mistyped ones, as the many that Codex alone reads are known by their names. */
import * as z from 'zod';
import { hooksTable } from './config-hooks.ts';
import { settings } from './config-schema.ts';
import { mcpServerTable } from './mcp-settings.ts';
import { nearest } from './nearest.ts';
import type { KeyPath } from './toml-places.ts';

/** Of Codex 0.171 and before: they are valid, and mean nothing here. */
const CODEX_ALONE = new Set(
  `allow_login_shell allow_symlinked_codex_home analytics approvals_reviewer apps apps_mcp_product_sku audio
  auto_review background_terminal_max_timeout browser_use chatgpt_base_url check_for_update_on_startup
  cli_auth_credentials_store cloud code_mode commit_attribution compat_api computer_use default_permissions desktop
  disable_paste_burst disable_response_storage experimental_compact_prompt_file experimental_instructions_file
  experimental_realtime_start_instructions experimental_realtime_webrtc_call_base_url
  experimental_realtime_ws_backend_prompt experimental_realtime_ws_base_url experimental_realtime_ws_model
  experimental_realtime_ws_startup_context experimental_resume experimental_thread_store
  experimental_thread_store_endpoint experimental_use_exec_command_tool experimental_use_freeform_apply_patch
  experimental_use_rmcp_client experimental_use_unified_exec_tool feedback file_opener
  forced_chatgpt_workspace_id forced_login_method ghost_snapshot goals hide_agent_reasoning history
  include_apply_patch_tool include_apps_instructions include_collaboration_mode_instructions
  include_environment_context include_environment_context_time include_permissions_instructions instructions
  js_repl_node_module_dirs js_repl_node_path log_dir marketplaces mcp_enterprise_managed_auth
  mcp_oauth_callback_port mcp_oauth_callback_url mcp_oauth_credentials_store mcp_optional_startup_grace_ms memories
  model_auto_compact_token_limit_scope model_catalog_json model_max_output_tokens
  model_post_turn_compact_threshold_percent model_supports_reasoning_summaries network notice notify openai_base_url
  orchestrator oss_provider otel permissions plan_mode_reasoning_effort plugins preferred_auth_method
  project_root_markers responses responses_api_metadata review_model rollout_trace
  show_raw_agent_reasoning skills sqlite_home suppress_unstable_features_warning thread_unload_delay_secs
  tool_output_token_limit tool_suggest tools_view_image tools_web_search tui use_chat_completion web_search windows
  windows_wsl_setup_acknowledged zsh_path`
    .split(/\s+/)
    .concat(
      [
        ...['auth', 'aws', 'env_key_instructions', 'gateway_oauth'],
        ...[
          'http_headers_helper',
          'model_catalog_url',
          'requires_openai_auth',
          'supports_standalone_web_search',
        ],
        ...['supports_websockets', 'websocket_connect_timeout_ms', 'compat_api', 'use_chat_completion'],
      ].map((key) => `model_providers.*.${key}`),
      ['experimental_use_profile', 'filters'].map((key) => `shell_environment_policy.${key}`),
      ['experimental_request_user_input', 'web_search_request'].map((key) => `tools.${key}`),
      [
        ...[
          'auth',
          'bearer_token',
          'default_tools_approval_mode',
          'environment_id',
          'experimental_environment',
        ],
        ...['name', 'oauth', 'oauth_client_id', 'oauth_resource', 'required', 'scopes'],
        ...['supports_parallel_tool_calls', 'tools'],
      ].map((key) => `mcp_servers.*.${key}`),
    ),
);

/** All tables, those of which a broken entry is left out as well. */
const tables = settings.extend({ hooks: hooksTable, mcp_servers: z.record(z.string(), mcpServerTable) });

export type UnknownKey = {
  path: KeyPath;
  /** Those that mean something in its place. */
  known: readonly string[];
};

/** The keys of a table of settings that mean nothing, here or to Codex. `within`: where the table itself lies. */
export function unknownKeys(table: unknown, within: KeyPath = []): UnknownKey[] {
  return strangers(tables, table, []).map(({ path, known }) => ({ path: [...within, ...path], known }));
}

/** The known key that is likely meant. */
export function meantBy({ path, known }: UnknownKey): string | null {
  const word = String(path.at(-1));
  return nearest(word, known, Math.ceil(word.length / 3));
}

/** `path` as it is written; its pattern has `*` for the names that users give. */
function strangers(
  schema: unknown,
  value: unknown,
  path: KeyPath,
  pattern: readonly string[] = [],
): UnknownKey[] {
  if (schema instanceof z.ZodOptional) return strangers(schema.unwrap(), value, path, pattern);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  if (schema instanceof z.ZodRecord)
    return Object.entries(value).flatMap(([name, inner]) =>
      strangers(schema.valueType, inner, [...path, name], [...pattern, '*']),
    );
  if (!(schema instanceof z.ZodObject)) return [];
  const shape: Record<string, unknown> = schema.shape;
  return Object.entries(value).flatMap(([name, inner]) => {
    if (Object.hasOwn(shape, name)) return strangers(shape[name], inner, [...path, name], [...pattern, name]);
    if (CODEX_ALONE.has([...pattern, name].join('.'))) return [];
    return [{ path: [...path, name], known: Object.keys(shape) }];
  });
}
