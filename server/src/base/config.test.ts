import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { Failure } from './errors.ts';
import type { ConfiguredModel, ModelConfig } from './model-config.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'tscodex-config-'));
});
afterEach(() => rmSync(home, { recursive: true }));

const write = (text: string, name = 'config.toml') => writeFileSync(join(home, name), text);
const load = (env: Record<string, string> = {}, profile?: string) =>
  loadConfig({ codexHome: home, env, ...(profile === undefined ? {} : { profile }) });

function failure(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

function configured(model: ModelConfig): ConfiguredModel {
  if (model.kind !== 'configured') throw new Error(JSON.stringify(model));
  return model;
}

const problem = (model: ModelConfig) => (model.kind === 'broken' ? model.problem : model.kind);

const LOCAL = '[model_providers.local]\nbase_url = "http://127.0.0.1:8000/v1"\n';

test('a home without anything has no model and the careful defaults', () => {
  expect(load()).toEqual({
    codexHome: home,
    file: join(home, 'config.toml'),
    profile: null,
    model: { kind: 'none' },
    permissions: { sandbox: 'workspace-write', approval: 'on-request', network: false },
    unattended: false,
    notices: [],
    sandbox: { writableRoots: [], slashTmp: true, tmpdir: true, unixSockets: false, bwrap: '/usr/bin/bwrap' },
    environment: { inherit: 'core', secrets: false, exclude: [], set: {}, includeOnly: [] },
    keyVariables: ['OPENAI_API_KEY'],
    instructions: {},
    projectDocMaxBytes: undefined,
    toolset: null,
    prices: { currency: 'USD', models: {} },
    hooks: [],
    models: {},
  });
  expect(Object.isFrozen(load())).toBe(true);
});

test('an API key alone is enough', () => {
  const model = configured(load({ OPENAI_API_KEY: ' sk-abc\n' }).model);
  expect(model.name).toBe('gpt-5.5');
  expect(model.provider).toMatchObject({
    id: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    maxRetries: 5,
    idleTimeoutMs: 300_000,
  });
  expect(model.provider.apiKey()).toBe('sk-abc');
  expect(JSON.stringify(model)).not.toContain('sk-abc');
});

test('the variables with keys of all providers are known, but for a key where its name belongs', () => {
  write(`[model_providers.a]
env_key = "A_KEY"
[model_providers.b]
env_key = "gsk_0123456789abcdefghij"
env_http_headers = { X-Token = "B_TOKEN", X-User = "USER" }
`);
  expect(load().keyVariables).toEqual(['OPENAI_API_KEY', 'A_KEY', 'B_TOKEN']);
});

test('OPENAI_BASE_URL moves the built-in provider', () => {
  const model = configured(load({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }).model);
  expect(model.provider.baseUrl).toBe('http://127.0.0.1:1/v1');
});

test('reads every key', () => {
  write(`model = "m"
model_provider = "x"
model_reasoning_effort = "high"
model_reasoning_summary = "auto"
model_verbosity = "low"
model_context_window = 8000
approval_policy = "never"
sandbox_mode = "danger-full-access"
developer_instructions = "be kind"
model_instructions_file = "prompt.md"
frobnicate = 1
[model_providers.x]
name = "X"
base_url = "http://127.0.0.1:1/v1"
env_key = "MY_KEY"
http_headers = { A = "1" }
env_http_headers = { B = "MY_B", C = "MISSING" }
query_params = { v = "2" }
stream_max_retries = 0
stream_idle_timeout_ms = 5
wire_api = "responses"
`);
  const config = load({ MY_KEY: 'secret-key', MY_B: 'secret-header' });
  const model = configured(config.model);
  expect(config).toMatchObject({
    permissions: { approval: 'never', sandbox: 'danger-full-access' },
    unattended: true,
    instructions: { developer: 'be kind', file: join(home, 'prompt.md') },
    model: { name: 'm', effort: 'high', summary: 'auto', verbosity: 'low', contextWindow: 8000 },
  });
  expect(model.provider).toMatchObject({ queryParams: { v: '2' }, maxRetries: 0, idleTimeoutMs: 5 });
  expect(model.provider.headers()).toEqual({ A: '1', B: 'secret-header' });
  expect(JSON.stringify(config)).not.toContain('secret-');
});

test('Codex’s other approval policies become one that asks', () => {
  for (const text of ['approval_policy = "on-failure"', '[approval_policy.granular]\nrules = true']) {
    write(text);
    const { permissions, notices } = load();
    expect(permissions.approval).toBe('on-request');
    expect(notices).toEqual([expect.stringContaining('is taken as "on-request"')]);
  }
  expect(loadConfig({ codexHome: home, env: {}, approvalPolicy: 'never' })).toMatchObject({
    permissions: { approval: 'never' },
    notices: [],
  });
});

test('how commands are confined, and what they get to know', () => {
  write(`
[sandbox_workspace_write]
writable_roots = ["/data", "cache"]
network_access = true
exclude_slash_tmp = true
exclude_tmpdir_env_var = true
[shell_environment_policy]
inherit = "all"
ignore_default_excludes = true
exclude = ["AWS_*"]
set = { CI = "1" }
include_only = ["PATH", "CI"]
[tscodex]
bwrap = "/opt/bwrap"
unix_sockets = true
`);
  expect(load()).toMatchObject({
    permissions: { sandbox: 'workspace-write', approval: 'on-request', network: true },
    sandbox: {
      writableRoots: ['/data', join(home, 'cache')],
      ...{ slashTmp: false, tmpdir: false, unixSockets: true, bwrap: '/opt/bwrap' },
    },
    environment: {
      ...{ inherit: 'all', secrets: true, exclude: ['AWS_*'] },
      ...{ set: { CI: '1' }, includeOnly: ['PATH', 'CI'] },
    },
  });
  write('[tscodex]\nbwrap = "bin/bwrap"');
  expect(failure(() => load())).toMatchObject({
    code: 'config.type',
    message: expect.stringContaining('tscodex.bwrap'),
  });
});

test('a profile lies on top: its own file first, else the table', () => {
  write(`model = "m"\nmodel_provider = "local"\n${LOCAL}[profiles.fast]\nmodel = "small"\n`);
  expect(load({}, 'fast').model).toMatchObject({ name: 'small' });
  write('model = "tiny"\napproval_policy = "never"', 'fast.config.toml');
  expect(load({}, 'fast')).toMatchObject({
    profile: 'fast',
    permissions: { approval: 'never' },
    model: { name: 'tiny' },
  });
});

test('an unknown profile says where it was looked for, and never leaves the folder', () => {
  write('model = "m"');
  expect(failure(() => load({}, 'nope'))).toMatchObject({
    code: 'config.profile',
    message: `unknown profile "nope": there is neither ${join(home, 'nope.config.toml')} nor [profiles.nope] in ${join(home, 'config.toml')}`,
  });
  write('model = "stolen"', 'other.config.toml');
  for (const name of [`../${home.split('/').pop()}/other`, '__proto__', 'constructor', ''])
    expect(failure(() => load({}, name)).code).toBe('config.profile');
});

test('.env beside the file gives keys; the real environment wins; CODEX_ names are skipped', () => {
  write(
    'export OPENAI_API_KEY="from file" # comment\nCODEX_HOME=/elsewhere\nOPENAI_BASE_URL=http://h/v1\n',
    '.env',
  );
  expect(configured(load({ OPENAI_API_KEY: 'real' }).model).provider).toMatchObject({
    baseUrl: 'http://h/v1',
  });
  expect(configured(load({ OPENAI_API_KEY: 'real' }).model).provider.apiKey()).toBe('real');
  expect(problem(load().model)).toMatch(/OPENAI_API_KEY .*characters that no key has/);
  write(
    `model = "m"\nmodel_provider = "x"\n[model_providers.x]\nbase_url = "http://h"\nenv_key = "CODEX_KEY"`,
  );
  write('CODEX_KEY=k', '.env');
  expect(problem(load().model)).toContain('CODEX_KEY, which is not set');
});

test('O-G2: a broken file says where', () => {
  const file = join(home, 'config.toml');
  const cases: [string, string, RegExp][] = [
    ['model = "m"\n[mcp_servers.x]\ncommand = "C:\\dir\\x.exe"\n', 'config.syntax', /^FILE:3:\d+: \S/],
    ['model = "m"\nmodel = "n"\n', 'config.syntax', /^FILE:2:\d+: \S/],
    ['model = 5\n', 'config.type', /^FILE: model: .*expected string, received number/],
    ['[projects.\'/a\']\nt = "x"\n[projects."/a"]\n', 'config.syntax', /^FILE:3:\d+: \S/],
    ['model = "m\n', 'config.syntax', /^FILE:1:\d+: \S/],
    [
      '[model_providers.x]\nquery_params = 3',
      'config.type',
      /^FILE: model_providers\.x\.query_params: .*record/,
    ],
    ['[profiles.p]\nmodel = 5', 'config.type', /^FILE: profiles\.p\.model: .*string/],
    ['sandbox_mode = "none"', 'config.type', /^FILE: sandbox_mode: .*"read-only"/],
  ];
  for (const [text, code, message] of cases) {
    write(text);
    const thrown = failure(() => load({}, text.includes('profiles') ? 'p' : undefined));
    expect(thrown).toMatchObject({ kind: 'invalid', code });
    expect(thrown.message.replaceAll(file, 'FILE')).toMatch(message);
    expect(readFileSync(file, 'utf8')).toBe(text);
  }
});

test('O-G2: a byte order mark, CRLF and an empty file are fine', () => {
  write(`\ufeffmodel = "m"\r\napproval_policy = "never"\r\n`);
  expect(load({ OPENAI_API_KEY: 'k' })).toMatchObject({
    permissions: { approval: 'never' },
    model: { name: 'm' },
  });
  write('');
  expect(load().model).toEqual({ kind: 'none' });
});

test('bytes that are no UTF-8, a directory and a missing --config are named', () => {
  writeFileSync(join(home, 'config.toml'), Buffer.from([0x61, 0xff]));
  expect(failure(load)).toMatchObject({ code: 'config.syntax' });
  expect(failure(() => loadConfig({ codexHome: home, configPath: home, env: {} })).code).toBe(
    'config.unreadable',
  );
  const missing = join(home, 'nope.toml');
  expect(failure(() => loadConfig({ codexHome: home, configPath: missing, env: {} }))).toMatchObject({
    code: 'config.missing',
    message: `${missing}: there is no such config file`,
  });
});

test('half a configuration says what is missing, and is never the demo', () => {
  const said = (text: string, env: Record<string, string> = {}) => {
    write(text);
    return problem(load(env).model);
  };
  const x = (line: string) =>
    `model = "m"\nmodel_provider = "x"\n[model_providers.x]\nbase_url = "http://h"\n${line}`;
  expect(said('model = "m"')).toContain('OPENAI_API_KEY, which is not set');
  expect(said(`model_provider = "local"\n${LOCAL}`)).toMatch(/sets model_provider = "local", but no model$/);
  expect(said(LOCAL)).toContain('neither model nor model_provider');
  expect(said(`model = "m"\nmodel_provider = "nosuch"\n${LOCAL}`)).toMatch(
    /"nosuch" is not known; known are local, openai\./,
  );
  expect(said('model = "m"\nmodel_provider = "x"\n[model_providers.x]')).toBe(
    `${join(home, 'config.toml')}: provider x has no base_url`,
  );
  expect(said(x('').replace('http://h', 'localhost'))).toContain('is not a URL');
  expect(said(x('').replace('http://h', 'ftp://h'))).toContain('must begin with http://');
  expect(said(x('').replace('http://h', 'http://u:hidden@h'))).not.toContain('hidden');
  expect(said(x('http_headers = { A = "hid\\nden" }'))).toContain(
    'the header "A" of provider x holds characters that no header has',
  );
  expect(said(x('wire_api = "chat"'))).toContain('only "responses" is supported');
});

test('O-G3: env_key holds the key itself, or names nothing', () => {
  const key = (name: string, env: Record<string, string> = {}) => {
    write(
      `model = "m"\nmodel_provider = "x"\n[model_providers.x]\nbase_url = "http://h"\n${name && `env_key = "${name}"`}`,
    );
    return load(env).model;
  };
  expect(problem(key('MY_KEY'))).toContain(
    'provider x needs an API key in the environment variable MY_KEY, which is not set',
  );
  expect(problem(key('MY_KEY', { MY_KEY: ' ' }))).toContain('MY_KEY');
  expect(configured(key('MY_KEY', { MY_KEY: ' sk-abc\n' })).provider.apiKey()).toBe('sk-abc');
  for (const secret of ['sk-live-0123456789abcdef0123456789abcdef', 'gsk_abcdefghij0123456789klmnop']) {
    expect(problem(key(secret))).toContain('wants the name of an environment variable');
    expect(problem(key(secret))).not.toContain(secret);
  }
  expect(configured(key('')).provider.apiKey()).toBeUndefined();
});
