/**
 * All sockets that follow one session, towards the session one viewer. Text that streams goes out in rounds, as one
 * array to everybody: what came at the same time together, and to a crowd a little less often, so that following
 * costs the session no more than it can spare, however many do. Everything else goes at once.
 */
import type { SessionEvent } from '@tscodex/shared/events';
import type { SessionSnapshot } from '@tscodex/shared/workspace';
import type { Session, Viewer } from '../../runtime/session-directory.ts';

/** Milliseconds between two rounds: so many for each viewer, and never more than two frames of a page take. */
const PAUSE_PER_VIEWER = 0.25;
const LONGEST_PAUSE = 33;
/** Characters that do not wait: more than a link that is quick should have to take at a time. */
const FULL_ROUND = 16 * 1024;

export class Audience implements Viewer {
  readonly #session: Session;
  readonly #viewers = new Set<Viewer>();
  #detach: (() => void) | null = null;
  #epoch = '';
  /** What the viewers have not been given yet. */
  #unsent: SessionEvent[] = [];
  #size = 0;
  #cancel: (() => void) | null = null;
  #lastRound = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  /** As `Session.subscribe`. */
  join(viewer: Viewer, from?: { epoch: string; after: number }): () => void {
    // what the others are still to get is part of what this one begins with
    this.#deliver();
    const begun = this.#session.subscribe(viewer, from);
    begun();
    this.#viewers.add(viewer);
    this.#attach();
    return () => this.#leave(viewer);
  }

  snapshot(snapshot: SessionSnapshot): void {
    this.#deliver();
    // while it attaches, everybody has begun already
    if (this.#detach) for (const viewer of this.#viewers) viewer.snapshot(snapshot);
  }

  events(epoch: string, events: readonly SessionEvent[]): void {
    if (epoch !== this.#epoch) this.#deliver();
    this.#epoch = epoch;
    for (const event of events) this.#add(event);
  }

  ended(reason: string): void {
    this.#deliver();
    const viewers = [...this.#viewers];
    this.#viewers.clear();
    this.#detach = null;
    for (const viewer of viewers) viewer.ended(reason);
  }

  #add(event: SessionEvent): void {
    this.#unsent.push(event);
    if (event.type !== 'item.delta') {
      this.#deliver();
      return;
    }
    this.#size += event.delta.length;
    if (this.#size > FULL_ROUND) this.#deliver();
    else this.#cancel ??= this.#nextRound();
  }

  #attach(): void {
    if (this.#detach) return;
    const detach = this.#session.subscribe(this);
    this.#detach = detach;
  }

  #leave(viewer: Viewer): void {
    this.#viewers.delete(viewer);
    if (this.#viewers.size > 0) return;
    this.#deliver();
    this.#detach?.();
    this.#detach = null;
  }

  /** Once what happens now has happened; at once after a quiet time, else when the pause is over. */
  #nextRound(): () => void {
    const pause = Math.min(LONGEST_PAUSE, Math.floor(this.#viewers.size * PAUSE_PER_VIEWER));
    const wait = this.#lastRound + pause - performance.now();
    const run = () => this.#deliver();
    if (wait <= 0) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    const timer = setTimeout(run, wait);
    return () => clearTimeout(timer);
  }

  #deliver(): void {
    this.#cancel?.();
    this.#cancel = null;
    if (this.#unsent.length === 0) return;
    const events = this.#unsent;
    this.#unsent = [];
    this.#size = 0;
    this.#lastRound = performance.now();
    for (const viewer of this.#viewers) viewer.events(this.#epoch, events);
  }
}

/** The audience of each session that is in memory. */
export class Audiences {
  readonly #of = new WeakMap<Session, Audience>();

  of(session: Session): Audience {
    let audience = this.#of.get(session);
    if (!audience) {
      audience = new Audience(session);
      this.#of.set(session, audience);
    }
    return audience;
  }
}
