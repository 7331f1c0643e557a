/**
 * What everything with an effect goes through: the policy decides, a person is asked where it says so, and the
 * call is saved as begun.
 */
import type { Approval } from '@tscodex/shared/asks';
import { type Action, decide } from '../approvals/decide.ts';
import type { ToolContext } from './tool.ts';

/** `message` is for the model. */
export type Permission = { granted: true } | { granted: false; message: string };

/**
 * Asks for permission. When it is granted the call has been saved as begun and the caller acts at once.
 * Rejects with the signal's reason when the turn is interrupted meanwhile.
 */
export async function permission(
  action: Action,
  approval: Approval,
  context: Pick<ToolContext, 'policy' | 'ask' | 'begin'>,
): Promise<Permission> {
  const decision = decide(action, context.policy);
  if (decision.outcome === 'forbid') return { granted: false, message: decision.reason };
  if (decision.outcome === 'ask') {
    const answer = await context.ask.approve(approval, decision.keys);
    if (!answer.allowed) return { granted: false, message: declined(action.what, answer.reason) };
  }
  await context.begin();
  return { granted: true };
}

function declined(what: Action['what'], words: string | undefined): string {
  const said = words ? `. They say: ${words}` : ', without a reason.';
  return `This ${what} was declined by the user${said}`;
}
