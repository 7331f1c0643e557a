/** Which rule to offer for a command: as much of its beginning as says what it does, and never all a program can do. */
import { RULE_LIMIT } from '@tscodex/shared/limits';
import { gitOnlyReads, gitReachesFurther } from './git-reach.ts';
import { isReader } from './known-safe.ts';
import { programName } from './program-name.ts';
import { WRAPPERS } from './wrapped-programs.ts';

/** They run whatever they are told, so a rule about them would allow everything. */
const RUNS_ANYTHING = new Set([
  ...WRAPPERS,
  ...(
    'awk bun cmd deno docker find gawk java lua luajit mawk node nodejs osascript perl php pkexec ' +
    'podman powershell pwsh pypy python pythonw rm ruby run0 scp script ssh strace ts-node tsx'
  ).split(' '),
  // they start what follows, maybe elsewhere or watched
  ...(
    'at batch bwrap choom concurrently cpulimit crontab dbus-run-session direnv entr expect faketime ' +
    'firejail gdb hyperfine ip kubectl lldb ltrace lxc nerdctl nix nix-shell nodemon numactl perf ' +
    'pm2 rlwrap screen setarch sg socat sshpass tmux torsocks vagrant valgrind watchexec'
  ).split(' '),
  // they read a language that starts programs
  ...(
    'R Rscript ed elixir emacs erl ghci groovy guile iex irb julia m4 mysql nvim octave psql racket ' +
    'rsync scala sed sqlite tar tclsh vi vim wish'
  ).split(' '),
]);

/** They show, copy or send any file, or run any program, that is named behind what a rule names. */
const TAKES_ANY_FILE = new Set([
  ...['hg', 'jj', 'svn'],
  ...[
    'bat',
    'cmp',
    'comm',
    'cp',
    'curl',
    'date',
    'dd',
    'diff',
    'file',
    'fold',
    'hexdump',
    'install',
    'join',
    'jq',
  ],
  ...['less', 'ln', 'more', 'mv', 'od', 'sort', 'strings', 'tee', 'wget', 'xxd', 'yq', 'zip'],
]);

/** Whose name alone may be a rule. */
const BY_NAME_ALONE = new Set([
  'black',
  'eslint',
  'jest',
  'mypy',
  'prettier',
  'pytest',
  'ruff',
  'tsc',
  'vitest',
]);

/** What they run is a word of their own. */
const RUNS_NEXT = new Set(['npx', 'bunx', 'pnpx', 'uvx']);

const NEVER = /^$/;

/**
 * Programs whose second word says what they do, and which second words leave that to the third: `npm test`,
 * but `npm run dev`.
 */
const SUBCOMMANDS: Readonly<Record<string, RegExp | undefined>> = {
  ...{ npm: /^(run|run-script|exec|x)$/, pnpm: /^(run|exec|dlx)$/, yarn: /^(run|exec|dlx|workspace)$/ },
  ...{ npx: NEVER, bunx: NEVER, pnpx: NEVER, uvx: NEVER, turbo: /^run$/, nx: /^run$/, vite: NEVER },
  ...{ uv: /^(run|tool|pip)$/, pip: NEVER, pip3: NEVER, poetry: /^run$/, pipenv: /^run$/, pdm: /^run$/ },
  ...{ hatch: /^run$/, tox: NEVER, nox: NEVER, conda: /^run$/, composer: /^exec$/, bundle: /^exec$/ },
  ...{ rake: NEVER, rails: NEVER, gem: NEVER, cargo: NEVER, go: /^(run|tool|mod)$/, dotnet: NEVER },
  ...{ make: NEVER, just: NEVER, task: NEVER, ninja: NEVER, bazel: NEVER, gradle: NEVER, gradlew: NEVER },
  ...{ mvn: NEVER, mvnw: NEVER, sbt: NEVER, swift: NEVER, zig: NEVER, mix: NEVER, flutter: NEVER },
  ...{ dart: /^(run|pub)$/, gh: /./, glab: /./, git: NEVER },
};

/** Why no rule may begin like this; null where one may. */
export function tooWide(prefix: readonly string[]): 'interpreter' | 'short' | null {
  const [program = '', ...words] = prefix;
  const name = programName(program);
  if (runsAnything(program)) return 'interpreter';
  if (BY_NAME_ALONE.has(name)) return null;
  if (!words.some(isPlain)) return 'short';
  // what it runs is named in its next word, or in the one after that
  const run = RUNS_NEXT.has(name) ? words : isRunner(name, words[0] ?? '') ? words.slice(1) : null;
  if (run?.length === 0) return 'short';
  return run?.some(runsAnything) || gitReachesFurther(prefix) ? 'interpreter' : null;
}

/** `python3.12` is `python`, and so is `Python` on some file systems. */
function runsAnything(word: string): boolean {
  const name = programName(word);
  return [name, name.toLowerCase()].some(
    (form) => RUNS_ANYTHING.has(form) || RUNS_ANYTHING.has(form.replace(/[\d.]+$/, '')),
  );
}

function isRunner(name: string, command: string): boolean {
  return SUBCOMMANDS[name]?.test(command) ?? false;
}

/** One rule that covers all of these programs; null where there is none that is narrow enough. */
export function proposalFor(
  programs: readonly (readonly string[])[],
  modelsOwn: readonly string[] = [],
): string[] | null {
  const [first] = programs;
  if (first === undefined) return null;
  const least = scoped(first);
  for (const prefix of [...(beginsWith(modelsOwn, least) ? [modelsOwn] : []), least, first])
    if (isOffered(prefix) && programs.every((words) => beginsWith(words, prefix))) return [...prefix];
  return null;
}

export function beginsWith(words: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length > 0 && prefix.every((word, i) => words[i] === word);
}

function isOffered(prefix: readonly string[]): boolean {
  const isShort = prefix.length <= RULE_LIMIT.words && prefix.every((word) => word.length <= RULE_LIMIT.word);
  const isNarrow = tooWide(prefix) === null && !takesAnyFile(prefix) && isNarrowForGit(prefix);
  return isShort && prefix.every((word) => word !== '') && isNarrow;
}

/** Program and subcommands where it has such; else all words. */
function scoped(words: readonly string[]): readonly string[] {
  const [program = '', command = '', third] = words;
  const name = programName(program);
  if (SUBCOMMANDS[name] === undefined || !isPlain(command)) return words;
  if (name === 'git' && !gitOnlyReads(words)) return words;
  if (!isRunner(name, command)) return words.slice(0, 2);
  return third !== undefined && isPlain(third) ? words.slice(0, 3) : words;
}

/** A reader needs no rule: within its sandbox it runs unasked. */
function takesAnyFile([program = '']: readonly string[]): boolean {
  return isReader(program) || TAKES_ANY_FILE.has(programName(program));
}

/** What changes something has to say what. */
function isNarrowForGit(prefix: readonly string[]): boolean {
  const [program = '', , ...words] = prefix;
  return programName(program) !== 'git' || gitOnlyReads(prefix) || words.some(isPlain);
}

/** Neither an option nor nothing. */
function isPlain(word: string): boolean {
  return word !== '' && !word.startsWith('-');
}
