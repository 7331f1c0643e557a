/**
 * A viewer at the other end of a socket. A quick link gets each event at once; for a slow one deltas are joined,
 * and past a bound everything is dropped and made good by a snapshot when the link has drained.
 */
import type { SessionEvent } from '@tscodex/shared/events';
import type { SessionSnapshot } from '@tscodex/shared/workspace';
import type { Viewer } from '../../runtime/session-directory.ts';
import type { EventJson } from './event-json.ts';
import { appendJoined } from './joined-deltas.ts';
import type { SocketLink } from './socket-link.ts';

/** Characters of JSON that may wait for a slow viewer. */
const PENDING_LIMIT = 256 * 1024;
/** What an event weighs beside its text. */
const EVENT_OVERHEAD = 100;

export class SocketViewer implements Viewer {
  readonly #sub: number;
  readonly #link: SocketLink;
  readonly #json: EventJson;
  readonly #current: () => SessionSnapshot;
  readonly #onEnd: (reason: string) => void;
  /** The epoch the client knows of. */
  #epoch: string | null = null;
  /** The number it stands at since its last snapshot. */
  #snapshotSeq = 0;
  #pending: SessionEvent[] = [];
  #pendingEpoch = '';
  #pendingSize = 0;
  #lagging = false;

  constructor(options: {
    sub: number;
    link: SocketLink;
    json: EventJson;
    /** The session's newest snapshot, for a viewer that had to let go. */
    current: () => SessionSnapshot;
    onEnd: (reason: string) => void;
  }) {
    this.#sub = options.sub;
    this.#link = options.link;
    this.#json = options.json;
    this.#current = options.current;
    this.#onEnd = options.onEnd;
  }

  snapshot(snapshot: SessionSnapshot): void {
    this.#drop();
    if (this.#link.congested) this.#letGo();
    else {
      this.#epoch = snapshot.epoch;
      this.#snapshotSeq = snapshot.seq;
      this.#link.send(this.#json.snapshot(this.#sub, snapshot));
    }
  }

  events(epoch: string, all: readonly SessionEvent[]): void {
    if (this.#lagging) return;
    const events = this.#news(epoch, all);
    const waiting = this.#pending.length > 0;
    if (waiting || this.#link.congested) this.#hold(epoch, events);
    else this.#send(epoch, events);
  }

  ended(reason: string): void {
    this.detach();
    this.#onEnd(reason);
  }

  /** Forgets what waits; nothing is sent any more. */
  detach(): void {
    this.#drop();
    this.#link.forget(this.#catchUp);
  }

  /** A snapshot that was made up for may be newer than what was on its way. */
  #news(epoch: string, events: readonly SessionEvent[]): readonly SessionEvent[] {
    const known = epoch === this.#epoch ? this.#snapshotSeq : 0;
    const [first] = events;
    return first && first.seq <= known ? events.filter(({ seq }) => seq > known) : events;
  }

  #send(epoch: string, events: readonly SessionEvent[]): void {
    const news = epoch === this.#epoch ? null : epoch;
    if (events.length === 0 && news === null) return;
    this.#epoch = epoch;
    this.#link.sendFrame(this.#json.frame(this.#sub, events, news));
  }

  #hold(epoch: string, events: readonly SessionEvent[]): void {
    const continues = this.#pending.length === 0 || epoch === this.#pendingEpoch;
    this.#pendingEpoch = epoch;
    for (const event of events) {
      appendJoined(this.#pending, event);
      this.#pendingSize += event.type === 'item.delta' ? event.delta.length : this.#json.of(event).length;
    }
    const size = this.#pendingSize + this.#pending.length * EVENT_OVERHEAD;
    if (!continues || size > PENDING_LIMIT) this.#letGo();
    else this.#link.whenDrained(this.#catchUp);
  }

  #letGo(): void {
    this.#drop();
    this.#lagging = true;
    this.#link.whenDrained(this.#catchUp);
  }

  #drop(): void {
    this.#pending = [];
    this.#pendingSize = 0;
    this.#lagging = false;
  }

  #catchUp = (): void => {
    const lagging = this.#lagging;
    const pending = this.#pending;
    this.#drop();
    if (lagging) this.snapshot(this.#current());
    else if (pending.length > 0) this.#send(this.#pendingEpoch, pending);
  };
}
