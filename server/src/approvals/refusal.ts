/** What the model is told when something is refused without asking: what forbids it, and what to do instead. */
import type { Action, Policy } from './decide.ts';

/**
 * Why a person would have to decide: a rule says so, it is risky, it wants more than its sandbox gives, it would
 * change files that may not be written, it goes into what may do more than the session now, nothing would confine
 * it, or the policy trusts few commands.
 */
export type AskedBecause = 'rule' | 'risk' | 'grants' | 'outside' | 'looser' | 'unconfined' | 'untrusted';

const NOBODY = 'approval_policy = "never": nobody may be asked';

/** A sentence or two. `because` is `forbidden` where a rule refuses. */
export function refusal(action: Action, because: AskedBecause | 'forbidden', policy: Policy): string {
  switch (because) {
    case 'forbidden':
      return `A rule of the people here forbids this command${ownWords(action)} Do not try it in another form.`;
    case 'rule':
      return `A rule wants people to be asked about this command${ownWords(action)} That is not possible here (${NOBODY}).`;
    case 'risk':
      return `This command could destroy something, so people would have to allow it, and that is not possible here (${NOBODY}). Find a way that destroys nothing.`;
    case 'grants':
      return `The approval policy is "never" (${NOBODY}). ${withoutGrants(action)}`;
    case 'outside':
      return `${outside(action)} may not be written in this session, and that is final (${NOBODY}).`;
    case 'looser':
      return `What this is typed into was allowed more than the session's commands now are, and nobody may be asked (${NOBODY}). Stop it with Ctrl-C and start it again.`;
    default:
      return (
        `This ${action.what} would run without confinement by the operating system, and nobody may be asked: ` +
        `approval_policy = "never", sandbox_mode = "${policy.sandbox}". ` +
        'It is possible with approval_policy = "on-request", where a person decides.'
      );
  }
}

function ownWords(action: Action): string {
  const words = action.what === 'command' ? action.judgement.justification : undefined;
  return words === undefined ? '.' : `: ${words.replace(/[.\s]*$/, '.')}`;
}

function withoutGrants(action: Action): string {
  return action.what === 'permissions'
    ? 'Do not call request_permissions; work with what the sandbox allows.'
    : 'Do not send sandbox_permissions: run the command within its sandbox, or leave it.';
}

function outside(action: Action): string {
  const paths = action.what === 'patch' ? action.outside : [];
  return paths.length === 0 ? 'What this patch names' : paths.join(', ');
}
