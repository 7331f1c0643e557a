/** Why Codex does not go on with a session. */
import { Failure } from '../../base/errors.ts';

export function notResumed(reason: string): Failure {
  if (/active writer/.test(reason))
    return new Failure(
      'conflict',
      'codex.busy',
      'Another Codex works on this session right now: end it there, then send the message again.',
    );
  return new Failure('unavailable', 'codex.resume', `Codex cannot go on with this session: ${reason}`, {
    details: { reason },
  });
}
