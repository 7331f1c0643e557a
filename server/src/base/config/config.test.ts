/** What files and flags say, as a server reads them when it starts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { ConfigHome, configured, failureOf } from './config-home.test-support.ts';

let home: ConfigHome;
beforeEach(() => {
  home = new ConfigHome();
});

const LOCAL = '[model_providers.local]\nbase_url = "http://127.0.0.1:8000/v1"\n';
const CONFIGURED = `model = "m"\nmodel_provider = "local"\n${LOCAL}`;

test('of AGENTS.md no more than 1 MiB is read, whoever says so', async () => {
  home.write(`project_doc_max_bytes = ${2 ** 40}`);
  expect((await home.load()).projectDocMaxBytes).toBe(1024 * 1024);
});

test('a home without anything has no model and the careful defaults', async () => {
  const store = await home.open();
  expect(store.current).toEqual({
    codexHome: home.dir,
    file: join(home.dir, 'config.toml'),
    profile: null,
    model: { kind: 'none' },
    permissions: { sandbox: 'workspace-write', approval: 'on-request', network: false },
    unattended: false,
    sandbox: { writableRoots: [], slashTmp: true, tmpdir: true, unixSockets: false, bwrap: '/usr/bin/bwrap' },
    environment: { inherit: 'core', secrets: false, exclude: [], set: {}, includeOnly: [] },
    keyVariables: ['OPENAI_API_KEY'],
    backend: 'native',
    codex: {
      ...{ silenceMs: 1_800_000, bin: null, reconnectSeconds: 300, variables: expect.any(Function) },
      oneShot: {
        ...{ hasTool: false, mode: 'never', timeoutMs: 1_800_000, graceMs: 2000 },
        variables: expect.any(Function),
      },
    },
    instructions: {},
    projectDocMaxBytes: undefined,
    toolset: null,
    disabledTools: [],
    prices: { currency: 'USD', models: {} },
    models: {},
    ...{ hooks: [], codexHooks: [], mcpServers: [], agents: { maxThreads: 6, maxDepth: 1 } },
  });
  expect(Object.isFrozen(store.current)).toBe(true);
  expect([store.report, store.profiles]).toEqual([{ problems: [], notices: [] }, []]);
});

test('reads every key', async () => {
  home.write(`approval_policy = "never"
sandbox_mode = "danger-full-access"
base_instructions = "You are."
developer_instructions = "be kind"
user_instructions = "I am."
model_instructions_file = "prompt.md"
compact_prompt = "Sum up."
personality = "pragmatic"
project_doc_max_bytes = 5
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
[tools]
view_image = false
web_search = { context_size = "low" }
update_plan = { enabled = false }
[mcp_servers.docs]
url = "https://docs.example/mcp"
[[hooks."turn.completed"]]
command = ["notify"]
[tscodex]
bwrap = "/opt/bwrap"
unix_sockets = true
toolset = ["view_image", "exec_command"]
currency = "EUR"
[tscodex.prices."m"]
input = 1
output = 2
[tscodex.models."m"]
context_window = 5
[features]
anything = true
[tui]
theme = "x"
`);
  const store = await home.open();
  expect(store.current).toMatchObject({
    permissions: { approval: 'never', sandbox: 'danger-full-access', network: true },
    unattended: true,
    instructions: {
      ...{ base: 'You are.', developer: 'be kind', user: 'I am.', file: join(home.dir, 'prompt.md') },
      ...{ compactPrompt: 'Sum up.', personality: 'pragmatic' },
    },
    projectDocMaxBytes: 5,
    sandbox: {
      writableRoots: ['/data', join(home.dir, 'cache')],
      ...{ slashTmp: false, tmpdir: false, unixSockets: true, bwrap: '/opt/bwrap' },
    },
    environment: {
      ...{ inherit: 'all', secrets: true, exclude: ['AWS_*'] },
      ...{ set: { CI: '1' }, includeOnly: ['PATH', 'CI'] },
    },
    disabledTools: ['view_image', 'update_plan'],
    toolset: ['view_image', 'exec_command'],
    mcpServers: [{ name: 'docs', transport: 'http' }],
    hooks: [{ event: 'turn.completed' }],
    prices: { currency: 'EUR', models: { m: { input: 1, cachedInput: 1, output: 2 } } },
    models: { m: { contextWindow: 5 } },
  });
  expect(store.report).toEqual({ problems: [], notices: [] });
});

test('Codex’s other approval policies become one that asks', async () => {
  for (const text of ['approval_policy = "on-failure"', '[approval_policy.granular]\nrules = true']) {
    home.write(text);
    const { current, report } = await home.open();
    expect(current.permissions.approval).toBe('on-request');
    expect(report.notices).toEqual([
      {
        code: 'config.onRequest',
        message: expect.stringContaining('config.toml:1: this approval_policy is taken as "on-request"'),
        details: { place: join(home.dir, 'config.toml:1'), key: 'approval_policy' },
      },
    ]);
  }
  home.write('');
  const { current, report } = await home.open({ approvalPolicy: 'on-failure' });
  expect(current.permissions.approval).toBe('on-request');
  expect(report.notices[0]?.message).toMatch(/^--ask-for-approval: this/);
});

test('the command line wins over all files, flags over -c', async () => {
  home.write(`model_verbosity = "high"\n${CONFIGURED}[profiles.fast]\nmodel = "p"`);
  const store = await home.open({
    profile: 'fast',
    overrides: ['model=c', 'model_verbosity = low', 'sandbox_mode="read-only"', 'tscodex.toolset=[]'],
    ...{ sandboxMode: 'danger-full-access', systemPrompt: 'Be.', toolset: ['exec_command'] },
  });
  expect(store.current).toMatchObject({
    ...{ profile: 'fast', model: { name: 'c', verbosity: 'low' }, toolset: ['exec_command'] },
    ...{ permissions: { sandbox: 'danger-full-access' }, instructions: { override: 'Be.' } },
  });
});

test.each([
  [['model'], 'flags', '-c model: write KEY=VALUE'],
  [['=x'], 'flags', '-c =x: write KEY=VALUE'],
  [['a..b=x'], 'flags', '-c a..b=x: write KEY=VALUE'],
  [['model=5'], 'config.type', '-c model: model: expected string, found number'],
  [['model_providers.x.query_params.a=5'], 'config.type', 'expected string, found number'],
])('-c %j: %s', async (overrides, code, sentence) => {
  expect(await failureOf(home.open({ overrides }))).toMatchObject({
    code,
    message: expect.stringContaining(sentence),
  });
});

test('-c takes TOML, else the text itself; a key that nobody knows is a notice', async () => {
  const overrides = [
    ...['developer_instructions=a = b', "user_instructions='q'", 'base_instructions=x\ny = 1'],
    ...['shell_environment_policy.exclude=["A"]', 'modle=m', 'model_instructions_file=p.md'],
  ];
  const { current, report } = await home.open({ overrides, cwd: '/somewhere' });
  expect(current.instructions).toEqual({
    ...{ developer: 'a = b', user: 'q', base: 'x\ny = 1', file: '/somewhere/p.md' },
  });
  expect(current.environment.exclude).toEqual(['A']);
  expect(report.notices.map(({ message }) => message)).toEqual([
    '-c modle: modle is unknown; did you mean model?',
  ]);
});

test('a toolset with a name that is no tool’s lists them', async () => {
  expect(await failureOf(home.open({ toolset: ['exec_comand', 'view_image', 'x'] }))).toMatchObject({
    code: 'config.tool',
    message: '--toolset: unknown in the toolset: exec_comand, x; there are exec_command, view_image',
  });
  const file = home.write('[tscodex]\ntoolset = ["x"]');
  expect((await failureOf(home.open())).message).toMatch(`${file}: unknown in the toolset: x; there are`);
});

test('a profile lies on top: its own file first, else the table; tables are joined', async () => {
  home.write(`${CONFIGURED}[profiles.fast]\nmodel = "small"\n`);
  expect((await home.load({}, { profile: 'fast' })).model).toMatchObject({ name: 'small' });
  home.write(
    'model = "tiny"\napproval_policy = "never"\n[model_providers.local]\nquery_params = { v = "1" }',
    'fast.config.toml',
  );
  expect(await home.load({}, { profile: 'fast' })).toMatchObject({
    profile: 'fast',
    permissions: { approval: 'never' },
    model: { name: 'tiny', provider: { baseUrl: 'http://127.0.0.1:8000/v1', queryParams: { v: '1' } } },
  });
});

test('the file itself may name the profile', async () => {
  home.write(
    `profile = "fast"\n${CONFIGURED}[profiles.fast]\nmodel = "small"\n[profiles.slow]\nmodel = "big"`,
  );
  expect(await home.load()).toMatchObject({ profile: 'fast', model: { name: 'small' } });
  expect(await home.load({}, { profile: 'slow' })).toMatchObject({ profile: 'slow' });
});

test('an unknown profile says where it was looked for, and never leaves the folder', async () => {
  home.write('model = "m"');
  expect(await failureOf(home.open({ profile: 'nope' }))).toMatchObject({
    code: 'config.profile',
    message: `unknown profile "nope": there is neither ${join(home.dir, 'nope.config.toml')} nor [profiles.nope] in ${join(home.dir, 'config.toml')}`,
  });
  home.write('model = "stolen"', 'other.config.toml');
  for (const profile of [`../${home.dir.split('/').pop()}/other`, '__proto__', 'constructor', ''])
    expect((await failureOf(home.open({ profile }))).code).toBe('config.profile');
});

test('all profiles are offered, with what they ask; what is broken about one stops nobody', async () => {
  home.write(`${CONFIGURED}[profiles.fast]\nmodel = "small"\n[profiles.bad]\nmodel = 5\n`);
  home.write('model = "big"', 'slow.config.toml');
  home.write('model_provider = "nosuch"', 'half.config.toml');
  const { profiles, report } = await home.open();
  expect(profiles).toEqual([
    { name: 'bad', model: null, problem: expect.objectContaining({ code: 'config.type' }) },
    { name: 'fast', model: 'small' },
    { name: 'half', model: null, problem: expect.objectContaining({ code: 'config.model' }) },
    { name: 'slow', model: 'big' },
  ]);
  expect(report.problems).toEqual([
    {
      code: 'config.type',
      message: `${join(home.dir, 'config.toml')}:8: profiles.bad.model: expected string, found number`,
      details: {
        place: join(home.dir, 'config.toml:8'),
        ...{ key: 'profiles.bad.model', reason: 'expected string, found number' },
      },
    },
    { code: 'config.model', message: expect.stringMatching(/^profile "half": .*"nosuch" is not known/) },
  ]);
});

test('.env beside the file gives keys; the real environment wins; CODEX_ names are skipped', async () => {
  home.write(
    'export OPENAI_API_KEY="from file" # comment\nCODEX_HOME=/elsewhere\nOPENAI_BASE_URL=http://h/v1\n',
    '.env',
  );
  const { provider } = configured((await home.load({ OPENAI_API_KEY: 'real' })).model);
  expect([provider.baseUrl, provider.apiKey()]).toEqual(['http://h/v1', 'real']);
  expect((await home.load()).model).toMatchObject({
    problem: expect.stringMatching(/OPENAI_API_KEY .*characters that no key has/),
  });
  home.write(
    `model = "m"\nmodel_provider = "x"\n[model_providers.x]\nbase_url = "http://h"\nenv_key = "CODEX_KEY"`,
  );
  home.write('CODEX_KEY=k', '.env');
  expect((await home.load()).model).toMatchObject({
    problem: expect.stringContaining('CODEX_KEY, which is not set'),
  });
});

test.each([
  [
    'model = "m"\n[mcp_servers.x]\ncommand = "C:\\dir\\x.exe"\n',
    'config.syntax',
    /^FILE:3:\d+: mcp_servers\.x\.command: \S/,
  ],
  ['model = "m"\nmodel = "n"\n', 'config.syntax', /^FILE:2:\d+: model: \S/],
  ['model = 5\n', 'config.type', /^FILE:1: model: expected string, found number$/],
  [
    '[projects.\'/a\']\ntrust_level = "trusted"\n[projects."/a"]\n',
    'config.syntax',
    /^FILE:3:\d+: projects\."\/a": \S/,
  ],
  ['model = "m\n', 'config.syntax', /^FILE:1:\d+: \S/],
  [
    '[model_providers.x]\nquery_params = 3',
    'config.type',
    /^FILE:2: model_providers\.x\.query_params: expected table, found number$/,
  ],
  [
    'a = 1\nsandbox_mode = "none"',
    'config.type',
    /^FILE:2: sandbox_mode: expected one of "read-only".*, found "none"$/,
  ],
  [
    'approval_policy = "always"',
    'config.type',
    /^FILE:1: approval_policy: expected one of "untrusted".*, found "always"$/,
  ],
  ['approval_policy = 5', 'config.type', /^FILE:1: approval_policy: expected one of .*, found number$/],
  [
    '[projects."/a"]\ntrust_level = true',
    'config.type',
    /^FILE:2: projects\."\/a"\.trust_level: expected one of "trusted"\|"untrusted"$/,
  ],
  ['projects = []', 'config.type', /^FILE:1: projects: expected table, found array$/],
  [
    'model_context_window = 0',
    'config.type',
    /^FILE:1: model_context_window: expected number to be >0, found 0$/,
  ],
  ['model_context_window = 1.5', 'config.type', /^FILE:1: model_context_window: expected int, found number$/],
  [
    'project_doc_max_bytes = "5"',
    'config.type',
    /^FILE:1: project_doc_max_bytes: expected number, found string$/,
  ],
  [
    '[tools]\nview_image = "no"',
    'config.type',
    /^FILE:2: tools\.view_image: expected boolean or table, found "no"$/,
  ],
  ['[tscodex]\nbwrap = "bin/bwrap"', 'config.type', /^FILE:2: tscodex\.bwrap: expected an absolute path$/],
  [
    '[tscodex.prices.m]\ninput = 1',
    'config.type',
    /^FILE:1: tscodex\.prices\.m\.output: expected number, found nothing$/,
  ],
  [
    '[tscodex.prices."gpt-5"]\ninptu = 1\noutput = 2',
    'config.type',
    /^FILE:2: tscodex\.prices\.gpt-5\.inptu: this key is unknown; did you mean input\?$/,
  ],
  ['model = 5\nsandbox_mode = 5', 'config.type', /^FILE:1: model: .*; FILE:2: sandbox_mode: /],
])('O-G2: %j is told with its place and its key', async (text, code, message) => {
  const file = home.write(text);
  const thrown = await failureOf(home.open());
  expect(thrown).toMatchObject({ kind: 'invalid', code });
  expect(thrown.message.replaceAll(file, 'FILE')).toMatch(message);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('O-G2: an unknown key is one warning, with its line and the nearest known one', async () => {
  const file = home.write('model = "m"\nfrobnicate = 1\n');
  expect((await home.open()).report.notices).toEqual([
    {
      code: 'config.unknownKey',
      message: `${file}:2: frobnicate is unknown`,
      details: { place: `${file}:2`, key: 'frobnicate', nearest: null },
    },
  ]);
  home.write('[profiles.p]\nmodel_verbsity = "low"');
  expect((await home.open()).report.notices[0]?.message).toBe(
    `${file}:2: profiles.p.model_verbsity is unknown; did you mean model_verbosity?`,
  );
});

test('O-G2: a byte order mark, CRLF and an empty file are fine', async () => {
  home.write(`\ufeffmodel = "m"\r\napproval_policy = "never"\r\n`);
  expect(await home.load({ OPENAI_API_KEY: 'k' })).toMatchObject({
    permissions: { approval: 'never' },
    model: { name: 'm' },
  });
  home.write('');
  expect((await home.load()).model).toEqual({ kind: 'none' });
});

test('broken servers and hooks are left out and named', async () => {
  const file = home.write(`[mcp_servers.good]\ncommand = "srv"\n[mcp_servers.bad]\nargs = 5\n
[[hooks."turn.completed"]]\ncommand = "a line"\n[[hooks."turn.completed"]]\ncommand = ["b"]`);
  const { current, report } = await home.open();
  expect(current.mcpServers.map(({ name }) => name)).toEqual(['good']);
  expect(current.hooks.map(({ command }) => command)).toEqual([['b']]);
  expect(report.notices.map(({ code, message }) => [code, message.replaceAll(file, 'FILE')])).toEqual([
    [
      'config.leftOut',
      'FILE:7: hooks."turn.completed"[0].command: expected array, found string: this entry is left out',
    ],
    ['config.leftOut', 'FILE:4: mcp_servers.bad.args: expected array, found number: this entry is left out'],
  ]);
});

test('bytes that are no UTF-8, a directory and a missing --config are named', async () => {
  home.write(Buffer.from([0x61, 0xff]));
  expect((await failureOf(home.open())).code).toBe('config.encoding');
  expect((await failureOf(home.open({ configPath: home.dir }))).code).toBe('config.unreadable');
  const missing = join(home.dir, 'nope.toml');
  expect(await failureOf(home.open({ configPath: missing }))).toMatchObject({
    code: 'config.missing',
    message: `${missing}: there is no such config file`,
  });
});

test("sessions on the user's Codex: by default where it says so, with the variables that it names and no others", async () => {
  home.write(`
[tscodex]
backend = "codex"
codex_bin = "/opt/codex"
codex_silence_minutes = 0.5
[model_providers.gateway]
base_url = "http://gateway/v1"
env_key = "GATEWAY_KEY"
`);
  const { backend, codex } = await home.load({ GATEWAY_KEY: 'secret', OPENAI_API_KEY: 'other' });
  expect(codex).toMatchObject({ silenceMs: 30_000, bin: '/opt/codex' });
  expect(backend).toBe('codex');
  expect(codex.variables()).toEqual({ GATEWAY_KEY: 'secret' });
});

test('a Codex that an agent starts for one task: a tool where its table is there, and what it says', async () => {
  home.write(`
[tscodex.subagent_codex]
permission_mode = "approve-for-me"
timeout_sec = 90
grace_sec = 0.5
env = { CODEX_API_KEY = "given" }
`);
  const { oneShot } = (await home.load({ CODEX_API_KEY: 'inherited' })).codex;
  expect(oneShot).toMatchObject({ hasTool: true, mode: 'approve-for-me', timeoutMs: 90_000, graceMs: 500 });
  expect(oneShot.variables()).toEqual({ CODEX_API_KEY: 'given' });
  home.write('[tscodex.subagent_codex]\npermission_mode = "always"\n');
  await expect(home.load()).rejects.toThrow(/config\.toml:2: tscodex\.subagent_codex\.permission_mode: /);
});
