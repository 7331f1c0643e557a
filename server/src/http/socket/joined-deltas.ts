/** Joining of deltas for viewers that cannot keep up. Pure. */
import type { SessionEvent } from '@tscodex/shared/events';

type Delta = Extract<SessionEvent, { type: 'item.delta' }>;

/** Appends an event, or joins it to the last one where both are deltas of the same field of the same item. */
export function appendJoined(events: SessionEvent[], event: SessionEvent): void {
  const last = events.at(-1);
  if (last && canJoin(last, event)) events[events.length - 1] = join(last as Delta, event as Delta);
  else events.push(event);
}

function canJoin(last: SessionEvent, next: SessionEvent): boolean {
  if (last.type !== 'item.delta' || next.type !== 'item.delta') return false;
  // a part of its own stays one; bytes left out lie between the two
  if (next.field === 'summaryPart' || next.skipped) return false;
  return last.itemId === next.itemId && last.field === next.field;
}

function join(last: Delta, next: Delta): Delta {
  return {
    ...last,
    delta: last.delta + next.delta,
    seq: next.seq,
    joined: (last.joined ?? 1) + (next.joined ?? 1),
  };
}
