/** The flags of `tscodex-ws`, from words to values. Pure: reads no file and no environment of its own. */
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import {
  type ApprovalPolicy,
  approvalPolicy,
  type SandboxMode,
  sandboxMode,
} from '@tscodex/shared/permissions';
import { nearest } from '../base/config/nearest.ts';
import { Failure } from '../base/errors.ts';

export const HELP = `tscodex-ws: serve workspaces for people and coding agents in the browser

  tscodex-ws [flags]

  --listen HOST:PORT        where to listen (127.0.0.1:6007; port 0 takes a free one)
  --workspace-config PATH   the list of workspaces (./workspaces.json, else a scratch workspace)
  --config PATH             the model configuration (config.toml in CODEX_HOME, ~/.codex)
  --profile NAME            a profile: NAME.config.toml beside that file, or [profiles.NAME] in it
  -c, --set KEY=VALUE       a setting of that file, like -c model_verbosity=low; may be repeated
  --system-prompt TEXT      what agents are told in place of all base instructions
  --toolset NAME,NAME       the tools agents have, in this order (all)
  --sandbox MODE            read-only, workspace-write or danger-full-access (that of the configuration)
  --ask-for-approval WHEN   untrusted, on-request or never (that of the configuration)
  --state-dir PATH          where this server keeps its state (tscodex in CODEX_HOME)
  --password TEXT           what to log in with, instead of the token in the state directory;
                            TSCODEX_PASSWORD in the environment keeps it off the process list
  --password-file PATH      the same, read from a file
  --no-auth                 let everybody in; on a loopback address only
  --allowed-host NAME       a further name this server is reached by; may be repeated
  --public-url URL          where a proxy serves this server
  --base-path PATH          the path below which a proxy serves it (that of --public-url)
  --trust-proxy             believe the proxy's X-Forwarded-For and X-Forwarded-Proto
  --log-level LEVEL         trace, debug, info, warn, error or silent (info)
  --help, --version
`;

const options = {
  listen: { type: 'string' },
  'workspace-config': { type: 'string' },
  config: { type: 'string' },
  profile: { type: 'string' },
  set: { type: 'string', short: 'c' },
  'system-prompt': { type: 'string' },
  toolset: { type: 'string' },
  sandbox: { type: 'string' },
  'ask-for-approval': { type: 'string' },
  'state-dir': { type: 'string' },
  password: { type: 'string' },
  'password-file': { type: 'string' },
  'no-auth': { type: 'boolean' },
  'allowed-host': { type: 'string' },
  'public-url': { type: 'string' },
  'base-path': { type: 'string' },
  'trust-proxy': { type: 'boolean' },
  'log-level': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export type Flags = {
  listen: { host: string; port: number };
  workspaceConfig: string | undefined;
  config: string | undefined;
  profile: string | undefined;
  /** `-c`, as they are written. */
  overrides: string[];
  systemPrompt: string | undefined;
  toolset: string[] | undefined;
  sandbox: SandboxMode | undefined;
  /** `on-failure`: Codex's, taken as `on-request`. */
  approval: ApprovalPolicy | 'on-failure' | undefined;
  stateDir: string | undefined;
  password: string | undefined;
  passwordFile: string | undefined;
  auth: boolean;
  allowedHosts: string[];
  publicUrl: URL | null;
  trustProxy: boolean;
  /** `/x/agent`, or '' for the root. */
  basePath: string;
  logLevel: (typeof logLevels)[number];
};

export type Command = { run: 'help' } | { run: 'version' } | { run: 'serve'; flags: Flags };

/** Throws `invalid` with one sentence for the first thing that is wrong. */
export function parseFlags(args: readonly string[]): Command {
  const given = readWords(args);
  const one = (name: keyof typeof options) => given.get(name)?.at(-1);
  if (given.has('help')) return { run: 'help' };
  if (given.has('version')) return { run: 'version' };
  const publicUrl = one('public-url') === undefined ? null : parsePublicUrl(one('public-url') ?? '');
  const flags: Flags = {
    listen: parseListen(one('listen') ?? '127.0.0.1:6007'),
    workspaceConfig: one('workspace-config'),
    config: one('config'),
    profile: one('profile'),
    overrides: given.get('set') ?? [],
    systemPrompt: one('system-prompt'),
    toolset: one('toolset')
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    stateDir: one('state-dir'),
    password: one('password'),
    passwordFile: one('password-file'),
    auth: !given.has('no-auth'),
    allowedHosts: given.get('allowed-host') ?? [],
    publicUrl,
    trustProxy: given.has('trust-proxy'),
    basePath: parseBasePath(one('base-path') ?? publicUrl?.pathname ?? ''),
    sandbox: choice('--sandbox', one('sandbox'), sandboxMode.options),
    approval: choice('--ask-for-approval', one('ask-for-approval'), [
      ...approvalPolicy.options,
      'on-failure',
    ]),
    logLevel: choice('--log-level', one('log-level'), logLevels) ?? 'info',
  };
  checkAuth(flags);
  return { run: 'serve', flags };
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function readWords(args: readonly string[]): Map<string, string[]> {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional') throw bad(`"${token.value}" is no flag; see --help`);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name as keyof typeof options] : null;
    if (!option)
      throw bad(`${token.rawName} is unknown; did you mean --${nearest(token.name, Object.keys(options))}?`);
    const { value } = token;
    if (option.type === 'boolean' && value !== undefined) throw bad(`${token.rawName} takes no value`);
    if (option.type === 'string' && (!value || (!token.inlineValue && value.startsWith('--'))))
      throw bad(`${token.rawName} needs a value`);
    given.set(token.name, [...(given.get(token.name) ?? []), value ?? '']);
  }
  return given;
}

function parseListen(text: string): Flags['listen'] {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw bad(`--listen ${text}: write HOST:PORT, like 127.0.0.1:6007 or [::1]:0`);
  return { host: bracketed ?? (plain || '127.0.0.1'), port: Number(port) };
}

function parsePublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '' || url.hash !== '')
    throw bad(`--public-url ${text}: write a whole URL, like https://box.example/agents/`);
  return url;
}

function parseBasePath(text: string): string {
  const path = text.replace(/\/$/, '');
  if (path === '' || /^(\/[\w~-][\w.~-]*)+$/.test(path)) return path;
  throw bad(`--base-path ${text}: write a path, like /agents`);
}

function choice<T extends string>(flag: string, text: string | undefined, all: readonly T[]): T | undefined {
  if (text === undefined) return undefined;
  const chosen = all.find((known) => known === text);
  if (chosen === undefined) throw bad(`${flag} ${text}: choose one of ${all.join(', ')}`);
  return chosen;
}

function checkAuth({ auth, listen, password, passwordFile }: Flags): void {
  if (password !== undefined && passwordFile !== undefined)
    throw bad('--password and --password-file: give one of them');
  if (auth) return;
  if (password !== undefined || passwordFile !== undefined)
    throw bad('--no-auth and a password: give one of them');
  if (!isLoopback(listen.host))
    throw bad(`--no-auth: ${listen.host} can be reached from other machines; listen on 127.0.0.1`);
}

function bad(sentence: string): Failure {
  return new Failure('invalid', 'flags', sentence);
}
