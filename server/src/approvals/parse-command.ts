/**
 * Splits what bash would be given into the programs that run and their words. Whatever the grammar and bash might
 * read differently makes a command one that no rule can match.
 */
import type { Node, Parser } from 'web-tree-sitter';
import { loadBashGrammar } from './bash-grammar.ts';
import { guessUnread } from './guess-unread.ts';
import { bareWord, likelyText, literalOf, reasonFor } from './literal-words.ts';
import { isSystemProgram, programName } from './program-name.ts';
import { SHELLS } from './wrapped-programs.ts';

/** One program in a command: its words, or why they cannot be told for certain. */
export type CommandPart = { argv: string[] | null; reason: string | null };

export type ParsedCommand = {
  /** The words of each program that runs. Null where one of them, or what is around them, cannot be told. */
  segments: string[][] | null;
  /** Why not, in a few words. */
  reason: string | null;
  parts: CommandPart[];
  /** One program and nothing else: no operator, no subshell. */
  isSingle: boolean;
  /** A shell in it reads files of the user first, which may give any word another meaning. */
  readsProfile: boolean;
  /**
   * Every program named anywhere in it, in substitutions, control flow and nested shells, too, with its words as
   * far as they can be guessed (null: not). For telling risks, never for allowing.
   */
  guesses: (string | null)[][];
};

/** Bytes of a command, operators in it, shells in shells. `ms`: some of what no person writes takes seconds to read. */
const LIMITS = { bytes: 8 * 1024, operators: 64, nesting: 2, ms: 250 };

/** What may be around programs without changing what they are. */
const STRUCTURE = new Set(['program', 'list', 'pipeline', 'subshell', 'command', 'comment']);
const OPERATORS = new Set(['&&', '||', ';', '|', '&', '(', ')', '\n']);

/** Plain words to the grammar, syntax to bash. */
const KEYWORDS = new Set([
  ...['time', 'coproc', '!', 'if', 'then', 'elif', 'else', 'fi', 'for', 'in', 'while', 'until', 'do', 'done'],
  ...['case', 'esac', 'select', 'function', '{', '}', '[[', '(('],
]);

/** They run their words as commands, or change what later words mean. */
const REEVALUATING = new Set([
  ...['eval', 'source', '.', 'exec', 'trap', 'alias', 'unalias', 'enable', 'hash', 'shopt', 'set', 'builtin'],
  ...['command', 'mapfile', 'readarray', 'fc', 'bind', 'complete'],
]);

/** Characters that are not what they look like, or that a terminal and bash read in two ways. */
const CONTROL = /[^\t\n\P{Cc}]/u;
/** Blanks to the grammar, part of a word to bash. */
const ESCAPED_BLANK = /\\[ \t]|(^|[^ \t\n])\\\n/;
const INVISIBLE = /[\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u2066-\u2069\u3000\ufeff]/;

/** Loads the grammar with the first command, once; anew with the next one where that has failed. */
export class CommandParser {
  #parser: Promise<Parser> | null = null;

  /** Throws where a file of the installation cannot be read. */
  async parse(command: string): Promise<ParsedCommand> {
    this.#parser ??= loadBashGrammar().catch((error) => {
      this.#parser = null;
      throw error;
    });
    const parser = await this.#parser;
    return parseWith({ parser, deadline: performance.now() + LIMITS.ms }, command, 0);
  }
}

type Means = { parser: Parser; deadline: number };

function parseWith(means: Means, command: string, depth: number): ParsedCommand {
  const refused = refusedUnread(command);
  if (refused !== null) return notMatchable(refused, guessUnread(command));
  // the types say that it returns nothing; what it returns says whether to stop
  const progressCallback = () => performance.now() > means.deadline;
  const tree = means.parser.parse(command, null, { progressCallback });
  if (tree === null) {
    means.parser.reset();
    return notMatchable('too complex', guessUnread(command));
  }
  try {
    return new Reading(means, depth, command).read(tree.rootNode);
  } finally {
    tree.delete();
  }
}

function refusedUnread(command: string): string | null {
  if (Buffer.byteLength(command) > LIMITS.bytes) return 'too long';
  if (CONTROL.test(command)) return 'control character';
  if (INVISIBLE.test(command)) return 'invisible or bidi unicode';
  const operators = command.match(/[|&;\n(`]/g)?.length ?? 0;
  return operators > LIMITS.operators ? 'too many segments' : null;
}

function notMatchable(reason: string, guesses: ParsedCommand['guesses']): ParsedCommand {
  return { segments: null, reason, parts: [], isSingle: false, readsProfile: false, guesses };
}

/** Where a node stands: `isPlain` while nothing but structure is above it. */
type Place = { isPlain: boolean; inside: string | null };

class Reading {
  #commands: { node: Node; inside: string | null }[] = [];
  /** Why the whole is not matchable, the first that was found. */
  #reason: string | null;
  #operators = 0;

  constructor(
    readonly means: Means,
    readonly depth: number,
    command: string,
  ) {
    this.#reason = ESCAPED_BLANK.test(command) ? 'backslash escape' : null;
  }

  read(root: Node): ParsedCommand {
    this.#walk(root, { isPlain: true, inside: null });
    this.#commands.sort((a, b) => a.node.startIndex - b.node.startIndex);
    const read = this.#commands.map((command) => this.#part(command));
    // a name the grammar found missing is empty
    const guesses = read.flatMap((part) => part.guesses).filter(([name]) => name !== '');
    if (root.hasError) return notMatchable('parse error', guesses);
    const parts = read.flatMap((part) => part.parts);
    const reason = this.#reason ?? parts.find(({ argv }) => argv === null)?.reason ?? null;
    if (parts.length === 0) return notMatchable(reason ?? 'empty', guesses);
    const segments = reason === null ? parts.flatMap(({ argv }) => (argv === null ? [] : [argv])) : null;
    const isSingle = this.#operators === 0 && read.length === 1 && read[0]?.isSingle === true;
    return {
      ...{ segments, reason, parts, isSingle: segments !== null && isSingle, guesses },
      readsProfile: read.some((part) => part.readsProfile),
    };
  }

  #walk(node: Node, place: Place): void {
    if (!node.isNamed) this.#token(node, place);
    else if (node.type === 'command') {
      this.#commands.push({ node, inside: place.inside });
      for (const child of node.children) this.#substitutionsIn(child);
    } else this.#structure(node, place);
  }

  #structure(node: Node, place: Place): void {
    const isPlain = STRUCTURE.has(node.type);
    if (!isPlain) this.#reason ??= reasonFor(node.type);
    const inside = node.type === 'redirected_statement' ? 'redirection' : place.inside;
    for (const child of node.children)
      this.#walk(child, { isPlain: place.isPlain && isPlain, inside: isPlain ? place.inside : inside });
  }

  #token({ type }: Node, { isPlain }: Place): void {
    if (type.trim() !== '') this.#operators += 1;
    if (isPlain && type.trim() !== '' && !OPERATORS.has(type))
      this.#reason ??= type === ';;' ? 'parse error' : `operator ${type}`;
  }

  #substitutionsIn(node: Node): void {
    const isSubstitution = node.type === 'command_substitution' || node.type === 'process_substitution';
    for (const child of node.namedChildren) {
      if (isSubstitution) this.#walk(child, { isPlain: false, inside: null });
      else this.#substitutionsIn(child);
    }
  }

  #part({ node, inside }: { node: Node; inside: string | null }): ReadPart {
    const words = wordsOf(node);
    const guess = words.map(likelyText);
    const script = scriptOf(words, guess);
    const nested = script === null || this.depth >= LIMITS.nesting ? null : this.#nested(script);
    const guesses = [guess, ...(nested?.guesses ?? [])];
    const { argv, reason } = inside === null ? argvOf(node) : { argv: null, reason: inside };
    if (argv === null || !isShellWithScript(argv))
      return { parts: [{ argv, reason }], guesses, isSingle: true, readsProfile: false };
    const readsProfile = nested?.readsProfile === true || startsWithProfile(argv);
    if (nested === null)
      return { parts: [{ argv: null, reason: 'shell nesting' }], guesses, isSingle: false, readsProfile };
    if (nested.segments === null) this.#reason ??= nested.reason;
    const parts = nested.parts.length > 0 ? nested.parts : [{ argv: null, reason: nested.reason }];
    return { parts, guesses, isSingle: nested.isSingle, readsProfile };
  }

  #nested(script: string): ParsedCommand {
    return parseWith(this.means, script, this.depth + 1);
  }
}

type ReadPart = Pick<ParsedCommand, 'parts' | 'guesses' | 'isSingle' | 'readsProfile'>;

/** The name and the arguments; not what is assigned before them, nor comments and redirections. */
function wordsOf(node: Node): Node[] {
  const other = /^(variable_assignment|comment|file_redirect|herestring_redirect|heredoc_redirect)$/;
  return node.namedChildren.filter((child) => !other.test(child.type));
}

function argvOf(node: Node): CommandPart {
  const argv: string[] = [];
  for (const child of node.children) {
    if (child.type === 'comment') continue;
    const word = child.type === 'command_name' ? nameOf(child) : literalOf(child);
    if ('reason' in word) return { argv: null, reason: word.reason };
    argv.push(word.text);
  }
  const [name] = argv;
  if (name === undefined) return { argv: null, reason: 'empty' };
  if (KEYWORDS.has(name)) return { argv: null, reason: 'shell keyword' };
  if (REEVALUATING.has(name)) return { argv: null, reason: 're-evaluating builtin' };
  return { argv, reason: null };
}

/** A program named in quotes is nothing people write. */
function nameOf(node: Node): ReturnType<typeof literalOf> {
  const name = node.namedChildCount === 1 ? node.namedChild(0) : null;
  if (name === null) return { reason: 'complex command name' };
  if (/^(concatenation|string|raw_string)$/.test(name.type)) return { reason: 'quoted command name' };
  if (name.type !== 'word') return { reason: reasonFor(name.type) };
  return bareWord(name.text);
}

/** `bash -lc SCRIPT` and nothing more, of the machine's own shells: a file of that name may run anything. */
function isShellWithScript([name = '', option = '', ...rest]: readonly string[]): boolean {
  const isShell = isSystemProgram(name) && SHELLS.has(programName(name));
  return isShell && /^-(l?c|cl)$/.test(option) && rest.length === 1;
}

/** zsh reads `.zshenv` each time. */
function startsWithProfile([name = '', option = '']: readonly string[]): boolean {
  return option.includes('l') || programName(name) === 'zsh';
}

/**
 * What a shell or `eval` is given to run, in whatever form and behind whatever starts it; of a text with
 * expansions, the text as it stands.
 */
function scriptOf(words: readonly Node[], guess: readonly (string | null)[]): string | null {
  const texts = words.map((word, i) => guess[i] ?? word.text.replace(/^"|"$/g, ''));
  if (guess[0] === 'eval') return texts.slice(1).join(' ');
  const shell = guess.findIndex((word) => word !== null && SHELLS.has(programName(word)));
  if (shell === -1) return null;
  const option = guess.findIndex((word, i) => i > shell && word !== null && /^-[a-z]*c[a-z]*$/i.test(word));
  return option === -1 ? null : (texts[option + 1] ?? null);
}
