/** The words of `tscodex app-server`: those of `codex app-server` where they make sense here. Pure. */
import { parseArgs } from 'node:util';
import { nearest } from '../../base/config/nearest.ts';
import { Failure } from '../../base/errors.ts';

export const APP_SERVER_HELP = `tscodex app-server: the agent for programs that speak to Codex's app-server

  tscodex app-server --stdio      JSON lines on stdin and stdout, until stdin ends

  -c, --config KEY=VALUE        a setting of config.toml; may be repeated
  -p, --profile NAME            a profile of it
  --state-dir PATH              where state is kept (tscodex in CODEX_HOME)
  --help
`;

export type AppServerFlags = {
  overrides: string[];
  profile: string | undefined;
  stateDir: string | undefined;
};

const options = {
  stdio: { type: 'boolean' },
  listen: { type: 'string' },
  config: { type: 'string', short: 'c' },
  profile: { type: 'string', short: 'p' },
  'state-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  // what clients say to codex, and what means nothing here
  'analytics-default-enabled': { type: 'boolean' },
  'strict-config': { type: 'boolean' },
  'session-source': { type: 'string' },
  enable: { type: 'string' },
  disable: { type: 'string' },
} as const;

/** null: help is asked for. Throws `flags` with one sentence for the first thing that is wrong. */
export function parseAppServer(args: readonly string[]): AppServerFlags | null {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === 'positional')
      throw bad(`"${token.value}" is no word of tscodex app-server; see --help`);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name as keyof typeof options] : null;
    if (!option)
      throw bad(`${token.rawName} is unknown; did you mean --${nearest(token.name, Object.keys(options))}?`);
    if (option.type === 'string' && token.value === undefined) throw bad(`${token.rawName} needs a value`);
    given.set(token.name, [...(given.get(token.name) ?? []), token.value ?? '']);
  }
  if (given.has('help')) return null;
  const listen = given.get('listen')?.at(-1);
  if (listen !== undefined && listen !== 'stdio://')
    throw bad(`--listen ${listen}: only stdio:// is served; tscodex-ws is the server for the network`);
  return {
    overrides: given.get('config') ?? [],
    profile: given.get('profile')?.at(-1),
    stateDir: given.get('state-dir')?.at(-1),
  };
}

function bad(sentence: string): Failure {
  return new Failure('invalid', 'flags', sentence);
}
