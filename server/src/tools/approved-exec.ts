/**
 * What everything with an effect goes through: rules and policy decide, a person is asked where they say so, and the
 * call is saved as begun.
 */
import type { Approval } from '@tscodex/shared/asks';
import type { Allowance } from '@tscodex/shared/items';
import { type Action, type Decision, decide, keysOf } from '../approvals/decide.ts';
import { coveredByGrants } from '../approvals/session-grants.ts';
import { Failure } from '../base/errors.ts';
import type { AllowedBy, ToolContext } from './tool.ts';

/** `message` is for the model; `by`: who refuses, a person or, without asking one, a rule or the policy. */
export type Permission =
  | {
      granted: true;
      /** Whether it is to run confined. */
      confined: boolean;
      /** A rule allows it. */
      byRule: boolean;
      /** The words to start it with instead of a shell. */
      direct?: readonly string[];
      /** What let it run although nobody was asked this time. */
      allowance?: Allowance;
    }
  | { granted: false; by: 'person' | 'policy'; message: string };

/**
 * Asks for permission. When it is granted the call has been saved as begun and the caller acts at once.
 * `approval.sandbox` says what would hold it where it runs confined. `again`: the action as it is judged once a
 * rule about it was saved. Rejects with the signal's reason when the turn is interrupted meanwhile.
 */
export async function permission(
  action: Action,
  approval: Approval,
  context: Pick<ToolContext, 'policy' | 'ask' | 'begin' | 'allowedBy'>,
  again: () => Promise<Action> = async () => action,
): Promise<Permission> {
  const decision = decide(action, context.policy);
  if (decision.outcome === 'forbid') return { granted: false, by: 'policy', message: decision.reason };
  if (decision.outcome === 'allow') {
    const allowance = allowanceFor(action, decision, context);
    await context.begin();
    return { ...granted(action, decision), ...(allowance ? { allowance } : {}) };
  }
  const answer = await context.ask.approve(shown(approval, decision), decision.keys);
  if (!answer.allowed) return { granted: false, by: 'person', message: declined(action.what, answer.reason) };
  const judged = answer.scope === 'rule' ? await again() : action;
  const now = answer.scope === 'rule' ? decide(judged, context.policy) : decision;
  await context.begin();
  // a rule that covers only a part of it: the person has allowed the whole, this once
  return now.outcome === 'allow'
    ? granted(judged, now)
    : { granted: true, confined: decision.confined, byRule: false };
}

/** A rule, or what people have allowed earlier; undefined where it needs neither. */
function allowanceFor(
  action: Action,
  { confined }: Decision & { outcome: 'allow' },
  { policy, allowedBy }: Pick<ToolContext, 'policy' | 'allowedBy'>,
): Allowance | undefined {
  if (isByRule(action)) return { how: 'rule' };
  if (decide(action, { ...policy, granted: () => false }).outcome === 'allow') return undefined;
  const found: AllowedBy[] = [];
  const covers = (key: string) => {
    const by = allowedBy(key);
    if (by) found.push(by);
    return by !== null;
  };
  if (!keysOf(action, confined).some(covers) && 'grants' in action) coveredByGrants(action.grants, covers);
  return found[0];
}

function isByRule(action: Action): boolean {
  return action.what === 'command' && action.judgement.rule === 'allow';
}

function granted(
  action: Action,
  { confined, direct }: Decision & { outcome: 'allow' },
): Permission & { granted: true } {
  return { granted: true, confined, byRule: isByRule(action), ...(direct ? { direct } : {}) };
}

/** What was to be held is held by nothing any more: a person allowed another thing. */
export function settingsChanged(): Failure {
  return new Failure(
    'conflict',
    'sandbox.changed',
    'what holds commands in was changed while this waited; nothing was run, so run it again',
  );
}

function shown(approval: Approval, decision: Decision & { outcome: 'ask' }): Approval {
  const { rule, justification, pattern, confined } = decision;
  const words = justification === undefined ? {} : { justification };
  // that rules could not be read is no rule's reason
  const unread = pattern === undefined ? justification : undefined;
  const reasons = [unread, approval.reason].filter((text) => text !== undefined && text !== '');
  return {
    ...approval,
    ...(reasons.length > 0 ? { reason: reasons.join('\n') } : {}),
    ...(pattern === undefined ? {} : { because: { pattern, ...words } }),
    sandbox: confined ? approval.sandbox : 'none',
    ...(rule === null ? {} : { rule }),
  };
}

function declined(what: Action['what'], words: string | undefined): string {
  const said = words ? `. They say: ${words}` : ', without a reason.';
  return `${SUBJECT[what]} declined by the user${said}`;
}

const SUBJECT: Record<Action['what'], string> = {
  command: 'This command was',
  input: 'This input was',
  patch: 'This patch was',
  permissions: 'These permissions were',
};
