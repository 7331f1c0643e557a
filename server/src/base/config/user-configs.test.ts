/** Files as users of Codex have them: they are taken as they are, and nothing is said about them. */
import { expect, test } from 'vitest';
import { ConfigHome } from './config-home.test-support.ts';

test.each([
  [
    'a subscriber’s, grown over years',
    `model = "gpt-5.5"
model_reasoning_effort = "high"
model_reasoning_summary = "concise"
personality = "pragmatic"
approvals_reviewer = "user"
preferred_auth_method = "chatgpt"
disable_response_storage = true
hide_agent_reasoning = true
file_opener = "vscode"
notify = ["notify-send", "Codex"]
project_doc_max_bytes = 65536
project_doc_fallback_filenames = ["CLAUDE.md"]
cli_auth_credentials_store = "file"

[history]
persistence = "save-all"

[tui]
theme = "zenburn"
notifications = ["agent-turn-complete"]
status_line = ["model-with-reasoning", "context-remaining"]

[tui.model_availability_nux]
"gpt-5.5" = 3

[notice]
hide_full_access_warning = true
"hide_gpt5_1_migration_prompt" = true

[notice.model_migrations]
"gpt-5.1" = "gpt-5.5"

[features]
web_search_request = true
unified_exec = true
multi_agent = true

[projects."/home/ada/lab"]
trust_level = "trusted"

[projects."/home/ada/Downloads/x y"]
trust_level = "untrusted"

[mcp_servers.playwright]
command = "npx"
args = ["@playwright/mcp@latest"]
startup_timeout_sec = 30

[mcp_servers.linear]
url = "https://mcp.linear.app/mcp"

[mcp_servers.linear.http_headers]
X-Team = "lab"

[mcp_servers.linear.tools.list_issues]
approval_mode = "approve"

[plugins."github@openai-curated"]
enabled = true

[marketplaces.openai-curated]
source = "https://github.com/openai/plugins"

[agents]
max_threads = 4

[memories]
use_memories = false

[shell_environment_policy]
inherit = "all"
ignore_default_excludes = false
experimental_use_profile = true

[sandbox_workspace_write]
writable_roots = ["/home/ada/.cache"]
network_access = true

[[skills.config]]
path = "/home/ada/skills/x/SKILL.md"
enabled = false

[hooks.state."/home/ada/.codex/hooks.json:stop:0:0"]
trusted_hash = "sha256:0"

[[hooks.PreToolUse]]
matcher = "^Bash$"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "python3 ~/check.py"
timeout = 30
statusMessage = "Checking"
`,
  ],
  [
    'one with a provider and profiles',
    `model = "qwen3-coder"
model_provider = "vllm"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
web_search = "disabled"
model_supports_reasoning_summaries = false
tool_output_token_limit = 12000

[model_providers.vllm]
name = "vLLM"
base_url = "http://127.0.0.1:8000/v1"
wire_api = "responses"
requires_openai_auth = false
supports_websockets = false
request_max_retries = 2
env_key_instructions = "Ask Ada."

[model_providers.azure]
name = "Azure"
base_url = "https://lab.openai.azure.com/openai"
env_key = "AZURE_OPENAI_API_KEY"
query_params = { api-version = "2025-04-01-preview" }

[profiles.azure]
model = "gpt-5.5"
model_provider = "azure"
model_reasoning_effort = "low"

[profiles.azure.features]
unified_exec = false

[tools]
web_search = { context_size = "low", allowed_domains = ["example.com"] }
view_image = true
`,
  ],
  [
    'pycodex’s',
    `model = "step-3.7-flash"
model_provider = "local"
base_instructions = "You are an agent."
user_instructions = "I like it short."
service_tier = "fast"
use_chat_completion = false

[model_providers.local]
base_url = "http://127.0.0.1:8000/v1"
stream_idle_timeout_ms = 60000
use_chat_completion = "false"

[features]
guardian_approval = true
`,
  ],
])('%s', async (_, text) => {
  const home = new ConfigHome();
  home.write(text);
  const store = await home.open({ env: { OPENAI_API_KEY: 'k', AZURE_OPENAI_API_KEY: 'k' } });
  expect(store.report).toEqual({ problems: [], notices: [] });
  expect(store.current.model.kind).toBe('configured');
  expect(store.profiles.map(({ model }) => model)).toEqual(text.includes('[profiles') ? ['gpt-5.5'] : []);
});
