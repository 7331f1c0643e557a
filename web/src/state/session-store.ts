/**
 * One session as a page sees it: a store that is published with every other frame, however many events arrive, and
 * kept for a while after it was left, so that coming back shows it at once and asks only for what is new.
 */
import type { SessionState } from '@tscodex/shared/session-state';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Live } from '../api/live.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import { everyOtherFrame } from './frame-scheduler.ts';
import { advance, type Replica } from './replica.ts';

export type SessionView = {
  /** null until the first snapshot. */
  state: SessionState | null;
  /** Why it cannot be followed. What is known of it stays. */
  problem: { code: string; message: string } | null;
};

/** How many sessions nobody looks at any more are kept. */
const KEPT = 8;

type Kept = { store: StoreApi<SessionView>; replica: Replica | null; viewers: number; leave: () => void };

export class SessionStores {
  /** The one left longest ago is first. */
  readonly #sessions = new Map<string, Kept>();

  constructor(private readonly live: Pick<Live, 'follow'>) {}

  /** The store of a session; empty until somebody views it. */
  store(session: string): StoreApi<SessionView> {
    return this.#of(session).store;
  }

  /** Follows the session as long as the returned function is not called. */
  view(session: string): () => void {
    const kept = this.#of(session);
    kept.viewers += 1;
    if (kept.viewers === 1) kept.leave = this.#follow(session, kept);
    return () => {
      kept.viewers -= 1;
      if (kept.viewers > 0) return;
      kept.leave();
      this.#sessions.delete(session);
      this.#sessions.set(session, kept);
      this.#forget();
    };
  }

  /** Asks again for a session that could not be followed. */
  retry(session: string): void {
    const kept = this.#of(session);
    kept.leave();
    kept.store.setState({ problem: null });
    kept.leave = this.#follow(session, kept);
  }

  #of(session: string): Kept {
    const known = this.#sessions.get(session);
    if (known) return known;
    const store = createStore<SessionView>(() => ({ state: null, problem: null }));
    const kept: Kept = { store, replica: null, viewers: 0, leave: () => undefined };
    this.#sessions.set(session, kept);
    return kept;
  }

  #follow(session: string, kept: Kept): () => void {
    const publish = everyOtherFrame(() => {
      if (kept.replica) kept.store.setState({ state: kept.replica.state });
    });
    const arrived = () => {
      // at once: a problem that comes before the next frame is a new one
      if (kept.store.getState().problem) kept.store.setState({ problem: null });
      publish();
    };
    return this.live.follow(session, {
      position: () => kept.replica && { epoch: kept.replica.epoch, after: kept.replica.state.seq },
      snapshot: (epoch, state) => {
        kept.replica = { epoch, state };
        // the first is what the page waits for: no frame is let go by
        if (!kept.store.getState().state) kept.store.setState({ state });
        arrived();
      },
      events: (events, epoch) => {
        const next = advance(kept.replica, events, epoch);
        if (next === 'gap') return false;
        kept.replica = next;
        arrived();
        return true;
      },
      failed: (code, message) =>
        kept.store.setState({ problem: { code, message: serverSentence({ code, message }) } }),
    });
  }

  #forget(): void {
    const idle = [...this.#sessions].filter(([, kept]) => kept.viewers === 0);
    for (const [session] of idle.slice(0, Math.max(0, idle.length - KEPT))) this.#sessions.delete(session);
  }
}
