import type { Notice } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';

/** Why the agent could not answer: what comes from the model's side has such a code. */
export function isModelFailure({ level, code }: Pick<Notice, 'level' | 'code'>): boolean {
  return level === 'error' && code.startsWith('model.');
}

/** Why the session starts nothing: cut twice in a row, could not take a message, or opened again with a queue. */
export function isPause({ code }: Pick<Notice, 'code'>): boolean {
  return code === 'session.crashed' || code === 'session.paused' || code === 'session.reopened';
}

function isCut({ code }: Pick<Notice, 'code'>): boolean {
  return code === 'turn.interrupted';
}

/**
 * The id of the notice that offers to go on: the newest that says why the session does not, or the last thing of
 * all where the model has failed.
 */
export function resumableItem(
  state: Pick<SessionState, 'status' | 'canContinue' | 'items'>,
): string | undefined {
  const tells = state.status === 'paused' ? isPause : state.canContinue ? isCut : undefined;
  if (!tells) {
    const rests = state.status === 'idle' || state.status === 'sleeping';
    const last = rests ? state.items.at(-1) : undefined;
    return last?.type === 'notice' && isModelFailure(last as Notice) ? last.id : undefined;
  }
  return state.items.findLast((item) => item.type === 'notice' && tells(item))?.id;
}
