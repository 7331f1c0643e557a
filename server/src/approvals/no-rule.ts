/** Why no rule is offered for a command that somebody is asked about. Pure. */
import type { NoRule } from '@tscodex/shared/asks';
import { type Judgement, moves, withoutRule } from './judgement.ts';
import { isReader } from './known-safe.ts';
import type { ParsedCommand } from './parse-command.ts';
import type { RuleSet } from './prefix-rules.ts';
import { proposalFor, tooWide } from './rule-proposal.ts';

/** null where one is offered, or a rule has spoken: that one is shown. */
export function noRuleFor(
  { segments, readsProfile }: ParsedCommand,
  { rule, risk, proposal, git }: Judgement,
  rules: RuleSet,
): NoRule | null {
  if (rule !== null || proposal !== null) return null;
  if (risk !== null) return 'risk';
  if (segments === null) return 'shell';
  const programs = withoutRule(segments, rules);
  // beside others a reader is only one more program
  const judged = programs.filter(([program = '']) => programs.length === 1 || !isReader(program));
  const wide = judged.filter((words) => proposalFor([words]) === null);
  if (wide.length > 0) return wide.some((words) => tooWide(words) === 'short') ? 'short' : 'program';
  if (readsProfile) return 'shell';
  if (git === undefined) return 'several';
  // what would be offered is not, or does not count, where the repository is not to be trusted
  const isUntrusted = programs.length === 0 || proposalFor(programs) !== null;
  return isUntrusted || segments.some(moves) ? 'git' : 'several';
}
