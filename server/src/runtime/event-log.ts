/**
 * A session's events: numbers them, folds them into the snapshot, keeps the newest for those who come back, and
 * fans them out. Work per event depends on the number of viewers alone.
 */
import type { EventBody, SessionEvent } from '@tscodex/shared/events';
import { applyEvent, type SessionState } from '@tscodex/shared/session-state';
import type { SessionSnapshot } from '@tscodex/shared/workspace';
import { v4 as uuid } from 'uuid';
import type { Viewer } from './session-directory.ts';

/** How much a client may have missed and still get by number: events, and about that many characters. */
const KEPT_EVENTS = 4096;
const KEPT_CHARACTERS = 4 * 1024 * 1024;

type Kept = { event: SessionEvent; size: number };

export class EventLog {
  readonly epoch = uuid();
  #state: SessionState;
  /** A queue that is cut by halves: dropping from the front of an array would cost its whole length each time. */
  #kept: Kept[] = [];
  #from = 0;
  #size = 0;
  readonly #viewers = new Set<Viewer>();

  constructor(state: SessionState) {
    this.#state = state;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** How many events it holds on to, those included that it can no longer give out. */
  get held(): number {
    return this.#kept.length;
  }

  emit(body: EventBody): void {
    const event: SessionEvent = { ...body, seq: this.#state.seq + 1 };
    this.#state = applyEvent(this.#state, event);
    this.#keep(event);
    const events = [event];
    for (const viewer of this.#viewers) viewer.events(this.epoch, events);
  }

  snapshot(): SessionSnapshot {
    return { epoch: this.epoch, seq: this.#state.seq, state: this.#state };
  }

  subscribe(viewer: Viewer, from?: { epoch: string; after: number }): () => void {
    const missed = from?.epoch === this.epoch ? this.#after(from.after) : null;
    if (missed) viewer.events(this.epoch, missed);
    else viewer.snapshot(this.snapshot());
    this.#viewers.add(viewer);
    return () => this.#viewers.delete(viewer);
  }

  /** Tells all viewers that nothing follows. */
  end(reason: string): void {
    const viewers = [...this.#viewers];
    this.#viewers.clear();
    for (const viewer of viewers) viewer.ended(reason);
  }

  /** The events after number `after`; null when they are not all kept, or never were. */
  #after(after: number): SessionEvent[] | null {
    const first = this.#kept[this.#from]?.event.seq ?? this.#state.seq + 1;
    if (after > this.#state.seq || after < first - 1) return null;
    return this.#kept.slice(this.#from + after - (first - 1)).map((kept) => kept.event);
  }

  #keep(event: SessionEvent): void {
    const size = event.type === 'item.delta' ? event.delta.length + 120 : JSON.stringify(event).length;
    this.#kept.push({ event, size });
    this.#size += size;
    while (this.#kept.length - this.#from > KEPT_EVENTS || this.#size > KEPT_CHARACTERS) {
      this.#size -= this.#kept[this.#from]?.size ?? 0;
      this.#from += 1;
    }
    if (this.#from <= this.#kept.length / 2) return;
    this.#kept = this.#kept.slice(this.#from);
    this.#from = 0;
  }
}
