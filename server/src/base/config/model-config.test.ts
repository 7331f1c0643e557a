import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ConfigHome, configured } from './config-home.test-support.ts';
import type { ModelConfig } from './model-config.ts';

let home: ConfigHome;
beforeEach(() => {
  home = new ConfigHome();
});

const LOCAL = '[model_providers.local]\nbase_url = "http://127.0.0.1:8000/v1"\n';
const problem = (model: ModelConfig) => (model.kind === 'broken' ? model.problem : model.kind);

async function modelOf(text: string, env: Record<string, string> = {}): Promise<ModelConfig> {
  home.write(text);
  return (await home.load(env)).model;
}

test('an API key alone is enough', async () => {
  const model = configured((await home.load({ OPENAI_API_KEY: ' sk-abc\n' })).model);
  expect(model.name).toBe('gpt-5.5');
  expect(model.provider).toMatchObject({
    id: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    ...{ maxRetries: 5, requestMaxRetries: 4, idleTimeoutMs: 300_000 },
  });
  expect(model.provider.apiKey()).toBe('sk-abc');
  expect(JSON.stringify(model)).not.toContain('sk-abc');
});

test('the variables with keys of all providers are known, whatever they are called, but for a key where its name belongs', async () => {
  home.write(`[model_providers.a]
env_key = "A_KEY"
[model_providers.b]
env_key = "gsk_0123456789abcdefghij"
env_http_headers = { Authorization = "B_BEARER", X-Session = "B_JWT", X-User = "USER" }
[mcp_servers.docs]
url = "https://docs.example/mcp"
bearer_token_env_var = "DOCS"
env_http_headers = { X-Session = "DOCS_JWT" }
`);
  const names = ['OPENAI_API_KEY', 'A_KEY', 'B_BEARER', 'B_JWT', 'DOCS', 'DOCS_JWT'];
  expect((await home.load()).keyVariables).toEqual(names);
});

test('OPENAI_BASE_URL moves the built-in provider', async () => {
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' };
  expect(configured((await home.load(env)).model).provider.baseUrl).toBe('http://127.0.0.1:1/v1');
});

test('everything about a model and its provider', async () => {
  home.write(`model = "m"
model_provider = "x"
model_reasoning_effort = "high"
model_reasoning_summary = "auto"
model_verbosity = "low"
model_context_window = 8000
model_auto_compact_token_limit = 6000
service_tier = "fast"
[model_providers.x]
name = "X"
base_url = "http://127.0.0.1:1/v1"
env_key = "MY_KEY"
http_headers = { A = "1" }
env_http_headers = { B = "MY_B", C = "MISSING" }
query_params = { v = "2" }
request_max_retries = 2
stream_max_retries = 0
stream_idle_timeout_ms = 5
wire_api = "responses"
`);
  const config = await home.load({ MY_KEY: 'secret-key', MY_B: 'secret-header' });
  const model = configured(config.model);
  expect(model).toMatchObject({
    ...{ name: 'm', effort: 'high', summary: 'auto', verbosity: 'low', serviceTier: 'fast' },
    ...{ contextWindow: 8000, autoCompactTokenLimit: 6000 },
  });
  expect(model.provider).toMatchObject({
    queryParams: { v: '2' },
    ...{ maxRetries: 0, requestMaxRetries: 2, idleTimeoutMs: 5 },
  });
  expect(model.provider.headers()).toEqual({ A: '1', B: 'secret-header' });
  expect(JSON.stringify(config)).not.toContain('secret-');
});

test('half a configuration says what is missing, and is never the demo', async () => {
  const said = async (text: string) => problem(await modelOf(text));
  const x = (line: string) =>
    `model = "m"\nmodel_provider = "x"\n[model_providers.x]\nbase_url = "http://h"\n${line}`;
  expect(await said('model = "m"')).toContain('OPENAI_API_KEY, which is not set');
  expect(await said(`model_provider = "local"\n${LOCAL}`)).toMatch(
    /sets model_provider = "local", but no model$/,
  );
  expect(await said(LOCAL)).toContain('neither model nor model_provider');
  expect(await said('model = "m"\nmodel_provider = "x"\n[model_providers.x]')).toBe(
    `${join(home.dir, 'config.toml')}: provider x has no base_url`,
  );
  expect(await said(x('').replace('http://h', 'localhost'))).toContain('is not a URL');
  expect(await said(x('').replace('http://h', 'ftp://h'))).toContain('must begin with http://');
  expect(await said(x('').replace('http://h', 'http://u:hidden@h'))).not.toContain('hidden');
  expect(await said(x('http_headers = { A = "hid\\nden" }'))).toContain(
    'the header "A" of provider x holds characters that no header has',
  );
  expect(await said(x('wire_api = "chat"'))).toContain('only "responses" is supported');
});

test('O-G2: a provider that is not there is named with those that are', async () => {
  expect(problem(await modelOf('model = "m"\nmodel_provider = "nosuch"\n'))).toContain(
    '"nosuch" is not known; known are openai.',
  );
  expect(problem(await modelOf(`model = "m"\nmodel_provider = "nosuch"\n${LOCAL}`))).toContain(
    '"nosuch" is not known; known are local, openai.',
  );
});

test('O-G3: env_key holds the key itself, or names nothing', async () => {
  const key = (name: string, env: Record<string, string> = {}) =>
    modelOf(
      `model = "m"\nmodel_provider = "x"\n[model_providers.x]\nbase_url = "http://h"\n${name && `env_key = "${name}"`}`,
      env,
    );
  expect(problem(await key('MY_KEY'))).toContain(
    'provider x needs an API key in the environment variable MY_KEY, which is not set',
  );
  expect(problem(await key('MY_KEY', { MY_KEY: ' ' }))).toContain('MY_KEY');
  expect(configured(await key('MY_KEY', { MY_KEY: ' sk-abc\n' })).provider.apiKey()).toBe('sk-abc');
  for (const secret of ['sk-live-0123456789abcdef0123456789abcdef', 'gsk_abcdefghij0123456789klmnop']) {
    const said = problem(await key(secret));
    expect(said).toContain('wants the name of an environment variable');
    expect(said).not.toContain(secret);
  }
  expect(configured(await key('')).provider.apiKey()).toBeUndefined();
});

test('a key in the file itself is sent where no variable is named', async () => {
  const model = await modelOf(
    'model = "m"\nmodel_provider = "x"\n[model_providers.x]\nbase_url = "http://h"\nexperimental_bearer_token = " sk-file "',
  );
  expect(configured(model).provider.apiKey()).toBe('sk-file');
  expect(JSON.stringify(model)).not.toContain('sk-file');
});
