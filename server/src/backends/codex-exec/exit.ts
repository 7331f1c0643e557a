/** Why `codex exec` has ended without having ended its turn. What it has said on stderr may hold secrets and is not told. */
import type { TurnError } from '@tscodex/shared/events';
import { type Failure, problemOf } from '../../base/errors.ts';
import { saysLoggedOut } from '../codex-events/turn-error.ts';
import type { CodexExit } from '../codex-process/codex-child.ts';
import { notResumed } from '../codex-process/not-resumed.ts';

export function exitError({ how, details, stderr }: CodexExit): TurnError {
  const busy = /already has an active writer/.exec(stderr);
  if (busy) return errorOf(notResumed(busy[0]));
  if (/no rollout found for thread|no saved session found/i.test(stderr))
    return errorOf(notResumed('it does not find the conversation in its own directory'));
  if (saysLoggedOut(stderr)) {
    const reason = 'nobody is logged in there any more';
    const message = `Codex was refused by its provider: ${reason}. Run "codex login" where this server runs, then send it again.`;
    return { code: 'codex.login', message, details: { reason } };
  }
  return {
    code: 'codex.exit',
    message: `Codex has ended (${how}) in the middle of the turn. Run codex exec by hand in this directory, where this server runs, to see why.`,
    details,
  };
}

function errorOf(failure: Failure): TurnError {
  return problemOf(failure);
}
