/** `config/read`: of the configuration what clients ask for, and no secret. Pure. */
import type { Config } from '../../base/config/config.ts';

/** What is Codex's own, or said otherwise here. */
const UNSAID = Object.fromEntries(
  `review_model model_auto_compact_token_limit_scope approvals_reviewer forced_chatgpt_workspace_id forced_login_method
  web_search client_search_provider tools instructions developer_instructions compact_prompt analytics apps browser_use
  computer_use desktop`
    .split(/\s+/)
    .map((key) => [key, null]),
);

export function configOf({ model, permissions, sandbox }: Config) {
  const own = model.kind === 'configured' ? model : null;
  return {
    ...UNSAID,
    ...{ model: own?.name ?? null, model_provider: own?.provider.id ?? null },
    ...{ model_context_window: own?.contextWindow ?? null, model_reasoning_effort: own?.effort ?? null },
    model_auto_compact_token_limit: own?.autoCompactTokenLimit ?? null,
    ...{ model_reasoning_summary: own?.summary ?? null, model_verbosity: own?.verbosity ?? null },
    ...{ service_tier: own?.serviceTier ?? null, approval_policy: permissions.approval },
    sandbox_mode: permissions.sandbox,
    sandbox_workspace_write: {
      ...{ writable_roots: [...sandbox.writableRoots], network_access: permissions.network },
      ...{ exclude_tmpdir_env_var: !sandbox.tmpdir, exclude_slash_tmp: !sandbox.slashTmp },
    },
  };
}
