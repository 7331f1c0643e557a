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
): PrefixRule | undefined {
  const [program, ...rest] = words;
  const name = programName(program ?? '');
  const forms = [words, [name, ...rest], ...(name === 'git' ? [[name, ...withoutGitOptions(rest)]] : [])];
  return rules.find(
    ({ decision: ours, pattern }) => ours === decision && forms.some((form) => fits(pattern, form)),
  );
}

/** What the rules say of a whole command: its strictest part, and `allow` only where each part is allowed. */
export function strictest(
  set: RuleSet,
  command: { segments: readonly (readonly string[])[] | null; guesses: readonly Words[] },
): PrefixRule | null {
  for (const decision of ['forbidden', 'prompt'] as const)
    for (const words of command.guesses) {
      const rule = opposing(set, decision, words);
      if (rule) return rule;
    }
  if (command.segments === null || command.segments.length === 0) return null;
  const allowed = command.segments.map((words) => allowing(set, words));
  return allowed.every((rule) => rule !== undefined) ? (allowed[0] ?? null) : null;
}
