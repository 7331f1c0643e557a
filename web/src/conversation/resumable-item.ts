import type { SessionState } from '@tscodex/shared/session-state';

/** The id of the notice that offers to go on: the newest that says why the session does not. */
export function resumableItem(
  state: Pick<SessionState, 'status' | 'canContinue' | 'items'>,
): string | undefined {
  const code =
    state.status === 'paused' ? 'session.paused' : state.canContinue ? 'turn.interrupted' : undefined;
  if (!code) return undefined;
  return state.items.findLast((item) => item.type === 'notice' && item.code === code)?.id;
}
