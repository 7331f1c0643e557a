/** The rules that people have saved about commands, in files Codex reads as well, and what they say of a command. */
import type { NoRule } from '@tscodex/shared/asks';
import type { Rule, RuleList } from '@tscodex/shared/permissions';
import { Failure } from '../base/errors.ts';
import { type Judgement, judge, withoutRule } from './judgement.ts';
import { noRuleFor } from './no-rule.ts';
import { CommandParser, type ParsedCommand } from './parse-command.ts';
import { opposing } from './prefix-rules.ts';
import { RuleFiles } from './rule-files.ts';
import { beginsWith, tooWide } from './rule-proposal.ts';

/** Commands whose reading is kept: a turn judges the same one several times. */
const KEPT = 100;

export class Rules {
  readonly #files: RuleFiles;
  readonly #parser = new CommandParser();
  /** The longest unused first. */
  readonly #parsed = new Map<string, ParsedCommand>();
  /** The latest one that is too long to be read: what is guessed of it takes megabytes. */
  #long: { command: string; parsed: ParsedCommand } | null = null;

  constructor(codexHome: string) {
    this.#files = new RuleFiles(codexHome);
  }

  /**
   * Of a command as bash would be given it. What cannot be told for certain is not allowed by a rule, and nothing is
   * while a file with rules cannot be read.
   */
  async judge(command: string, { prefixRule }: { prefixRule?: readonly string[] } = {}): Promise<Judgement> {
    const { unread, ...rules } = await this.#files.load();
    const judgement = judge(await this.#parse(command), rules, prefixRule);
    return unread === null ? judgement : unlessOpposed(judgement, unread);
  }

  /** Why this judgement of it offers no rule; null where it does, or a rule has spoken. */
  async noRule(command: string, judgement: Judgement): Promise<NoRule | null> {
    return noRuleFor(await this.#parse(command), judgement, await this.#files.load());
  }

  /** All of them, and what could not be read. `dir` is absolute. */
  async list(): Promise<RuleList> {
    const { rules, problems } = await this.#files.load();
    return {
      dir: this.#files.dir,
      rules: rules.map(({ start: _from, end: _to, ...rule }) => rule),
      problems,
    };
  }

  /**
   * Allows from now on what begins with these words, for the sake of this command. False: that rule was there
   * already. Throws `rules.prefix` when too much would begin like that or no part of the command that lacks a rule
   * does, `rules.write` when the disk refuses or a file with rules cannot be read.
   */
  async add(prefix: readonly string[], forCommand: string): Promise<boolean> {
    const { unread, ...loaded } = await this.#files.load();
    if (unread !== null)
      throw new Failure('unavailable', 'rules.write', `cannot change ${this.#files.dir}: ${unread}`);
    if (loaded.rules.some(({ decision, pattern }) => decision === 'allow' && isSame(pattern, prefix)))
      return false;
    const wrong = tooWide(prefix);
    if (wrong !== null) throw refused(prefix, wrong);
    const { rule, risk } = await this.judge(forCommand);
    if (risk !== null) throw refused(prefix, 'risky');
    if (rule === 'prompt' || rule === 'forbidden' || isOpposed(prefix, loaded))
      throw refused(prefix, 'opposed');
    const { segments } = await this.#parse(forCommand);
    if (segments === null) throw refused(prefix, 'unmatchable');
    if (!withoutRule(segments, loaded).some((words) => beginsWith(words, prefix)))
      throw refused(prefix, 'elsewhere');
    await this.#files.append(prefix);
    return true;
  }

  /**
   * Returns what it took out. Throws `rules.unknown` where it is gone or was changed meanwhile, `rules.write` when
   * the disk refuses.
   */
  async remove(id: string): Promise<Rule> {
    return this.#files.remove(id);
  }

  async #parse(command: string): Promise<ParsedCommand> {
    if (this.#long?.command === command) return this.#long.parsed;
    const parsed = this.#parsed.get(command) ?? (await this.#parser.parse(command));
    // a busy machine may find complex what is not
    if (parsed.reason === 'too complex') return parsed;
    if (parsed.reason === 'too long') {
      this.#long = { command, parsed };
      return parsed;
    }
    this.#parsed.delete(command);
    this.#parsed.set(command, parsed);
    for (const oldest of this.#parsed.keys()) {
      if (this.#parsed.size <= KEPT) break;
      this.#parsed.delete(oldest);
    }
    return parsed;
  }
}

/** A rule that speaks against it may be in what could not be read. */
function unlessOpposed(judgement: Judgement, unread: string): Judgement {
  if (judgement.rule === 'forbidden' || judgement.rule === 'prompt') return judgement;
  return { ...judgement, rule: 'prompt', justification: unread, proposal: null, direct: null };
}

const REFUSALS = {
  interpreter: 'it would allow whatever that program is told to run',
  short: 'it would allow all that program can do; add the words that say what it is to do',
  risky: 'the command could destroy something, so it is asked about each time',
  opposed: 'another rule speaks against it, and that one is stronger',
  unmatchable: 'no rule can match this command, because its words depend on the shell',
  elsewhere: 'nothing in this command that lacks a rule begins like that',
};

function isSame(pattern: readonly (string | string[])[], prefix: readonly string[]): boolean {
  return pattern.length === prefix.length && prefix.every((word, i) => pattern[i] === word);
}

function isOpposed(prefix: readonly string[], loaded: Parameters<typeof opposing>[0]): boolean {
  return (['forbidden', 'prompt'] as const).some(
    (decision) => opposing(loaded, decision, prefix) !== undefined,
  );
}

function refused(prefix: readonly string[], why: keyof typeof REFUSALS): Failure {
  const words = prefix.join(' ');
  return new Failure('invalid', 'rules.prefix', `No rule can be made of "${words}": ${REFUSALS[why]}.`, {
    details: { [why]: words },
  });
}
