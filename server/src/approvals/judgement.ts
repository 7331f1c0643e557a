/** What is known of a command before anybody is asked. */
import type { Risk, Rule } from '@tscodex/shared/permissions';
import { riskOf } from './dangerous.ts';
import { gitOnlyReads } from './git-reach.ts';
import { isKnownSafe } from './known-safe.ts';
import type { ParsedCommand } from './parse-command.ts';
import { allowing, type RuleSet, strictest } from './prefix-rules.ts';
import { programName } from './program-name.ts';
import { proposalFor } from './rule-proposal.ts';
import { programsIn, runsUnknown } from './wrapped-programs.ts';

export type Judgement = {
  /** What the rules say of the whole command; null where none says anything, or not of each of its parts. */
  rule: Rule['decision'] | null;
  /** A rule's own words for a prompt or a refusal. */
  justification?: string;
  /** The words of commands that the rule behind a prompt is about. */
  pattern?: Rule['pattern'];
  /** It only reads, whatever its arguments are. */
  knownSafe: boolean;
  risk: Risk | null;
  /**
   * The first words that as a rule would allow the whole command from now on: the model's own where they will do.
   * Null where none may be offered: the command is risky, its words cannot be told for certain, or too much would
   * begin like it.
   */
  proposal: string[] | null;
  /**
   * Set where rules allow it and it is one program and nothing else: it is then started with these words and
   * without a shell, so that no profile, alias or function can change what they mean.
   */
  direct: string[] | null;
  /**
   * Set where git is one of its programs: the repository it works in has a say in what runs.
   * `reads`: it only shows what is in there.
   */
  git?: { reads: boolean };
};

/** Programs that only a shell has. */
const BUILTINS = new Set([
  ...[':', 'bg', 'cd', 'compgen', 'declare', 'dirs', 'disown', 'exit', 'export', 'fg', 'getopts', 'history'],
  ...['jobs', 'let', 'local', 'logout', 'popd', 'pushd', 'read', 'readonly', 'return', 'shift', 'suspend'],
  ...['times', 'type', 'typeset', 'ulimit', 'umask', 'unset', 'wait'],
]);

/** `prefixRule`: what the model proposes as a rule. */
export function judge(parsed: ParsedCommand, rules: RuleSet, prefixRule?: readonly string[]): Judgement {
  const { segments } = parsed;
  const { guesses } = parsed;
  const programs = { guesses: guesses.flatMap(programsIn), runsUnknown: guesses.some(runsUnknown) };
  const found = strictest(rules, { segments, ...programs });
  const risk = riskOf(parsed);
  const [only] = segments ?? [];
  const single = parsed.isSingle && only && !BUILTINS.has(only[0] ?? '') ? only : null;
  const git = segments?.filter(([program = '']) => programName(program) === 'git') ?? [];
  // a profile may make any word mean another thing, `cd` any repository the one that git works in
  const isCertain = single !== null || !(parsed.readsProfile || (git.length > 0 && segments?.some(moves)));
  const rule = found?.decision === 'allow' && !isCertain ? null : found;
  const allows = rule?.decision === 'allow';
  const words = allows ? undefined : rule?.justification;
  const isOpen = rule === null && risk === null && segments !== null && isCertain;
  return {
    rule: rule?.decision ?? null,
    ...(words !== undefined && { justification: words }),
    ...(rule?.decision === 'prompt' && { pattern: rule.pattern }),
    knownSafe: segments?.every(isKnownSafe) ?? false,
    risk,
    proposal: isOpen ? proposalFor(withoutRule(segments, rules), prefixRule) : null,
    direct: allows ? single : null,
    ...(git.length > 0 ? { git: { reads: git.every(gitOnlyReads) } } : {}),
  };
}

/** It leaves the directory that the command was judged in. */
export function moves([program = '']: readonly string[]): boolean {
  return /^(cd|pushd|popd)$/.test(program);
}

/** Those that no rule allows yet. */
export function withoutRule(segments: readonly string[][], rules: RuleSet): string[][] {
  return segments.filter((words) => allowing(rules, words) === undefined);
}
