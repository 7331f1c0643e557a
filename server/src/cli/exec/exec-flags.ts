/** The words of `tscodex exec`: those of `codex exec` where they make sense here. Pure. */
import { parseArgs } from 'node:util';
import { ATTACHMENTS_LIMIT } from '@tscodex/shared/limits';
import { type SandboxMode, sandboxMode } from '@tscodex/shared/permissions';
import { nearest } from '../../base/config/nearest.ts';
import { Failure } from '../../base/errors.ts';

export const EXEC_HELP = `tscodex exec: one turn of the agent, without anybody to ask

  tscodex exec [flags] PROMPT             a new session; - or no prompt reads it from stdin
  tscodex exec [flags] resume ID [PROMPT] goes on with a session; --last in place of ID: with the newest

  --json                        events on stdout, one JSON object a line, as codex exec writes them
  -o, --output-last-message F   write the last message to a file
  -i, --image F,F               images that go with the prompt; may be repeated
  --output-schema F             a JSON schema that the last message has to fit
  -m, --model NAME              the model (that of the configuration)
  -c, --config KEY=VALUE        a setting of config.toml; may be repeated
  -p, --profile NAME            a profile of it
  -s, --sandbox MODE            read-only, workspace-write or danger-full-access
  -C, --cd DIR                  where the agent works (here)
  --add-dir DIR                 a further directory it may write to; may be repeated
  --dangerously-bypass-approvals-and-sandbox
                                the same as --sandbox danger-full-access: nobody is asked anyway
  --state-dir PATH              where state is kept (tscodex in CODEX_HOME)
  --help
`;

export type ExecFlags = {
  /** null: a new session. 'last': the newest. */
  resume: { id: string } | 'last' | null;
  /** null: from stdin alone. */
  prompt: string | null;
  json: boolean;
  lastMessageFile: string | undefined;
  schemaFile: string | undefined;
  model: string | undefined;
  overrides: string[];
  profile: string | undefined;
  sandbox: SandboxMode | undefined;
  cd: string | undefined;
  addDirs: string[];
  images: string[];
  stateDir: string | undefined;
};

const options = {
  json: { type: 'boolean' },
  // what older SDKs call it
  'experimental-json': { type: 'boolean' },
  'output-last-message': { type: 'string', short: 'o' },
  'output-schema': { type: 'string' },
  model: { type: 'string', short: 'm' },
  config: { type: 'string', short: 'c' },
  image: { type: 'string', short: 'i' },
  profile: { type: 'string', short: 'p' },
  sandbox: { type: 'string', short: 's' },
  cd: { type: 'string', short: 'C' },
  'add-dir': { type: 'string' },
  'dangerously-bypass-approvals-and-sandbox': { type: 'boolean' },
  // what programs say that are made for codex, and what means nothing here
  'skip-git-repo-check': { type: 'boolean' },
  'thread-source': { type: 'string' },
  color: { type: 'string' },
  'state-dir': { type: 'string' },
  last: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** null: help is asked for. Throws `invalid` with one sentence for the first thing that is wrong. */
export function parseExec(args: readonly string[]): ExecFlags | null {
  const { given, words } = readWords(args);
  const one = (name: keyof typeof options) => given.get(name)?.at(-1);
  if (given.has('help')) return null;
  const { resume, rest } = whatToResume(words, given.has('last'));
  if (rest.length > 1) throw bad(`"${rest[1]}" is one word too many: write the prompt in quotes`);
  choice('--color', one('color'), ['always', 'never', 'auto']);
  const bypass = given.has('dangerously-bypass-approvals-and-sandbox');
  return {
    resume,
    prompt: rest[0] === '-' ? null : (rest[0] ?? null),
    json: given.has('json') || given.has('experimental-json'),
    lastMessageFile: one('output-last-message'),
    schemaFile: one('output-schema'),
    model: one('model'),
    overrides: given.get('config') ?? [],
    profile: one('profile'),
    sandbox: bypass ? 'danger-full-access' : choice('--sandbox', one('sandbox'), sandboxMode.options),
    cd: one('cd'),
    addDirs: given.get('add-dir') ?? [],
    images: imagesOf(given.get('image') ?? []),
    stateDir: one('state-dir'),
  };
}

function whatToResume(
  words: readonly string[],
  last: boolean,
): { resume: ExecFlags['resume']; rest: readonly string[] } {
  if (words[0] !== 'resume') {
    if (last) throw bad('--last goes with resume: tscodex exec resume --last PROMPT');
    return { resume: null, rest: words };
  }
  if (last) return { resume: 'last', rest: words.slice(1) };
  const id = words[1];
  if (id === undefined) throw bad('resume needs the id of a session, or --last');
  return { resume: { id }, rest: words.slice(2) };
}

function readWords(args: readonly string[]) {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const given = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name as keyof typeof options] : null;
    if (!option) throw bad(`${token.rawName} ${whyNot(token.name)}`);
    const { value } = token;
    if (option.type === 'boolean' && value !== undefined) throw bad(`${token.rawName} takes no value`);
    if (option.type === 'string' && (value === undefined || (!token.inlineValue && value.startsWith('--'))))
      throw bad(`${token.rawName} needs a value`);
    given.set(token.name, [...(given.get(token.name) ?? []), value ?? '']);
  }
  return { given, words };
}

/** Of a flag that is none. A letter is near to every word. */
function whyNot(name: string): string {
  if (name === 'ephemeral') return 'is not taken here: each run leaves its conversation in CODEX_HOME';
  if (name.length === 1) return 'is unknown; see tscodex exec --help';
  return `is unknown; did you mean --${nearest(name, Object.keys(options))}?`;
}

function imagesOf(words: readonly string[]): string[] {
  const images = words.flatMap((word) => word.split(',')).filter((path) => path !== '');
  if (images.length > ATTACHMENTS_LIMIT)
    throw bad(`--image: ${images.length} images, and one message takes ${ATTACHMENTS_LIMIT}`);
  return images;
}

function choice<T extends string>(flag: string, text: string | undefined, all: readonly T[]): T | undefined {
  if (text === undefined) return undefined;
  const chosen = all.find((known) => known === text);
  if (chosen === undefined) throw bad(`${flag} ${text}: choose one of ${all.join(', ')}`);
  return chosen;
}

function bad(sentence: string): Failure {
  return new Failure('invalid', 'flags', sentence);
}
