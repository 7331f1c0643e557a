/**
 * What a page follows over its link: sessions, the overview of all workspaces, and the people around. A broken
 * connection is no event here: on the next one everything is asked for again, each session from where its follower
 * is.
 */
import type { SessionEvent } from '@tscodex/shared/events';
import type { SessionState } from '@tscodex/shared/session-state';
import type { ServerFrame } from '@tscodex/shared/socket';
import type { Person } from '@tscodex/shared/workspace';
import type { Link } from './link.ts';

/** What is said about this person and the others. */
export type PeopleFrame = Extract<ServerFrame, { type: 'hello' | 'me' | 'people' | 'people.changed' }>;

type OverviewListener = (overview: Extract<ServerFrame, { type: 'overview' }>) => void;

/** Gets all there is about one session, in order. */
export type Follower = {
  /** What it has; null asks for a snapshot. Read whenever the session is asked for. */
  position(): { epoch: string; after: number } | null;
  snapshot(epoch: string, state: SessionState): void;
  /** Returns false when something is missing before these events; it is sent a snapshot then. */
  events(events: readonly SessionEvent[], epoch: string | undefined): boolean;
  /** The session cannot be followed (any more). It is tried again on the next connection. */
  failed(code: string, message: string): void;
};

/** `sub` is the server's number for it on this connection; null until it has answered. */
type Subscription = { session: string; follower: Follower; sub: number | null };

export class Live {
  readonly #followed = new Map<string, Subscription>();
  #onPeople: ((frame: PeopleFrame) => void) | null = null;
  #inView: Person['looking'][number] | null = null;
  #onOverview: OverviewListener | null = null;

  constructor(private readonly link: Pick<Link, 'open' | 'send'>) {}

  /** Follows a session until the returned function is called. A session has one follower. */
  follow(session: string, follower: Follower): () => void {
    const subscription: Subscription = { session, follower, sub: null };
    this.#followed.set(session, subscription);
    this.link.open();
    this.#subscribe(subscription, follower.position());
    return () => {
      this.#followed.delete(session);
      this.#unsubscribe(subscription);
    };
  }

  /** Hands every overview from now on to the one listener. */
  followOverview(listener: OverviewListener): void {
    this.#onOverview = listener;
    this.link.open();
    this.link.send({ type: 'overview' });
  }

  /** Hands all that is said about people from now on to the one listener; it comes with the overview. */
  followPeople(listener: (frame: PeopleFrame) => void): void {
    this.#onPeople = listener;
  }

  /** Lets the others know what is in view on this page. */
  look(place: Person['looking'][number] | null): void {
    this.#inView = place;
    this.link.send({ type: 'looking', workspace: null, session: null, ...place });
  }

  /** For the link: takes what the server sent. Types this version does not know are left alone. */
  onFrame(frame: ServerFrame): void {
    switch (frame.type) {
      case 'hello':
        this.#onPeople?.(frame);
        this.#askAgain();
        break;
      case 'me':
      case 'people':
      case 'people.changed':
        this.#onPeople?.(frame);
        break;
      case 'overview':
        this.#onOverview?.(frame);
        break;
      case 'subscribed':
        this.#onSubscribed(frame.session, frame.sub);
        break;
      case 'snapshot':
        this.#bySub(frame.sub)?.follower.snapshot(frame.epoch, frame.state);
        break;
      case 'events':
        this.#onEvents(frame.sub, frame.events, frame.epoch);
        break;
      case 'error':
        this.#onError(frame.code, frame.message, frame.ref);
        break;
    }
  }

  #askAgain(): void {
    if (this.#onOverview) this.link.send({ type: 'overview' });
    if (this.#inView) this.look(this.#inView);
    for (const subscription of this.#followed.values()) {
      subscription.sub = null;
      this.#subscribe(subscription, subscription.follower.position());
    }
  }

  #onSubscribed(session: string, sub: number): void {
    const subscription = this.#followed.get(session);
    if (!subscription) {
      // left again before the answer came
      this.link.send({ type: 'unsubscribe', sub });
      return;
    }
    // asked for twice: the last answer counts
    this.#unsubscribe(subscription);
    subscription.sub = sub;
  }

  #onEvents(sub: number, events: readonly SessionEvent[], epoch: string | undefined): void {
    const subscription = this.#bySub(sub);
    if (!subscription || subscription.follower.events(events, epoch)) return;
    this.#unsubscribe(subscription);
    this.#subscribe(subscription, null);
  }

  #onError(code: string, message: string, session: string | undefined): void {
    const subscription = session === undefined ? undefined : this.#followed.get(session);
    if (!subscription) return;
    subscription.sub = null;
    subscription.follower.failed(code, message);
  }

  #bySub(sub: number): Subscription | undefined {
    return [...this.#followed.values()].find((subscription) => subscription.sub === sub);
  }

  #subscribe({ session }: Subscription, from: { epoch: string; after: number } | null): void {
    this.link.send({ type: 'subscribe', session, ...from });
  }

  #unsubscribe(subscription: Subscription): void {
    if (subscription.sub !== null) this.link.send({ type: 'unsubscribe', sub: subscription.sub });
    subscription.sub = null;
  }
}
