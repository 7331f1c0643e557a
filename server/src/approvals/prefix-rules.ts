/** Whether rules fit a command: by its first words, each exactly. */
import { isAbsolute } from 'node:path';
import type { Rule } from '@tscodex/shared/permissions';
import { gitReachesFurther } from './git-reach.ts';
import { withoutGitOptions } from './git-risk.ts';
import { isSystemProgram, programName } from './program-name.ts';
import type { Words } from './wrapped-programs.ts';

export type PrefixRule = Pick<Rule, 'pattern' | 'decision' | 'justification'>;

export type RuleSet = {
  rules: readonly PrefixRule[];
  /** By name, where the program of that name lies; a rule about the name allows no other. */
  hosts: ReadonlyMap<string, readonly string[]>;
};

export function fits(pattern: Rule['pattern'], words: Words): boolean {
  return (
    words.length >= pattern.length &&
    pattern.every((wanted, i) => {
      const word = words[i];
      return typeof wanted === 'string' ? wanted === word : wanted.some((one) => one === word);
    })
  );
}

/**
 * A rule that allows these words. `/usr/bin/git` is `git`; a `git` lying elsewhere only where a host says so, and
 * none whose further words make more of it than the rule names.
 */
export function allowing({ rules, hosts }: RuleSet, words: readonly string[]): PrefixRule | undefined {
  const [program = '', ...rest] = words;
  const name = programName(program);
  const isKnown = hosts.get(name)?.includes(program) ?? isSystemProgram(program);
  const named = isAbsolute(program) && isKnown ? [name, ...rest] : null;
  return rules.find(
    ({ decision, pattern }) =>
      decision === 'allow' &&
      (fits(pattern, words) || (named !== null && fits(pattern, named))) &&
      !gitReachesFurther(words, pattern.length),
  );
}

/** A rule that forbids or asks about these words, wherever the program lies and whatever options git has first. */
export function opposing(
  { rules }: RuleSet,
  decision: 'forbidden' | 'prompt',
  words: Words,
  isAbout = fits,
): PrefixRule | undefined {
  const [program, ...rest] = words;
  const name = programName(program ?? '');
  const forms = [words, [name, ...rest], ...(name === 'git' ? [[name, ...withoutGitOptions(rest)]] : [])];
  return rules.find(
    ({ decision: ours, pattern }) => ours === decision && forms.some((form) => isAbout(pattern, form)),
  );
}

/** Whether they may turn out to be such words: from one on that is known only when it runs, anything may follow. */
function mayFit(pattern: Rule['pattern'], words: Words): boolean {
  const unknown = words.indexOf(null);
  return unknown > 0 && unknown < pattern.length && fits(pattern.slice(0, unknown), words);
}

/**
 * What the rules say of a whole command: its strictest part, and `allow` only where each part is allowed. Of what may
 * turn out to be forbidden, or asked about, people are asked. `runsUnknown`: any program may be among it.
 */
export function strictest(
  set: RuleSet,
  command: {
    segments: readonly (readonly string[])[] | null;
    guesses: readonly Words[];
    runsUnknown: boolean;
  },
): PrefixRule | null {
  for (const decision of ['forbidden', 'prompt'] as const)
    for (const words of command.guesses) {
      const rule = opposing(set, decision, words);
      if (rule) return rule;
    }
  const allowed = command.segments?.map((words) => allowing(set, words)) ?? [];
  const [first] = allowed;
  if (first !== undefined && allowed.every((rule) => rule !== undefined)) return first;
  const possible = maybeOpposing(set, command);
  return possible ? { ...possible, decision: 'prompt' } : null;
}

function maybeOpposing(
  set: RuleSet,
  { guesses, runsUnknown }: { guesses: readonly Words[]; runsUnknown: boolean },
): PrefixRule | undefined {
  for (const decision of ['forbidden', 'prompt'] as const) {
    if (runsUnknown) {
      const any = set.rules.find((rule) => rule.decision === decision);
      if (any) return any;
    }
    for (const words of guesses) {
      const rule = opposing(set, decision, words, mayFit);
      if (rule) return rule;
    }
  }
  return undefined;
}
