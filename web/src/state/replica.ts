/** This page's copy of a session: the fold of a snapshot and the events after it. Pure. */
import type { SessionEvent } from '@tscodex/shared/events';
import { applyEvent, follows, type SessionState } from '@tscodex/shared/session-state';

export type Replica = { epoch: string; state: SessionState };

/**
 * The copy with `events` folded in, or `gap` when some are missing in between and only a snapshot helps. What
 * was seen before changes nothing. Without a copy, or with one of another epoch, events have nothing to build on.
 */
export function advance(
  replica: Replica | null,
  events: readonly SessionEvent[],
  epoch?: string,
): Replica | 'gap' {
  if (!replica || (epoch !== undefined && epoch !== replica.epoch)) return 'gap';
  let { state } = replica;
  for (const event of events) {
    if (!follows(state, event) || overlaps(state, event)) return 'gap';
    state = applyEvent(state, event);
  }
  return state === replica.state ? replica : { ...replica, state };
}

/** A joined delta of which a part was seen already: folding it would double that part. */
function overlaps(state: SessionState, event: SessionEvent): boolean {
  if (event.type !== 'item.delta' || !event.joined || event.seq <= state.seq) return false;
  return event.seq - event.joined < state.seq;
}
