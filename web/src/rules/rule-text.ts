/** A rule's pattern in one line: its words, with `a|b` where any of several fits. Pure. */
import type { Rule } from '@tscodex/shared/permissions';
import { lineOf } from './rule-words.ts';

export function patternText({ pattern }: Pick<Rule, 'pattern'>): string {
  return pattern
    .map((words) =>
      typeof words === 'string' ? lineOf([words]) : `(${words.map((word) => lineOf([word])).join('|')})`,
    )
    .join(' ');
}
