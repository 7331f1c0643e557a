/**
 * The life of the one WebSocket a page has: opened when first needed, kept alive, opened again when it breaks.
 * What travels on it is none of its business; see `live.ts`.
 */
import { HEARTBEAT_MS } from '@tscodex/shared/limits';
import type { ClientFrame, ServerFrame } from '@tscodex/shared/socket';
import type { Connection } from '../state/actions.ts';
import type { Ending } from './proxy-trouble.ts';

/** Before the first new try; doubled with every failure up to the longest, then each cut short by up to half. */
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 10_000;

/** How long a connection may take to come up. */
const OPEN_PATIENCE_MS = 10_000;

/** How long an answer may take after the device woke up, when the old connection is probably gone. */
const WAKE_PATIENCE_MS = 3_000;

/** A connection as the link needs it. After `close` it may still call `onClose`; nobody waits for that. */
export type Wire = { send(text: string): void; close(): void };
export type WireEvents = {
  /** The handshake came through. */
  onOpen(): void;
  onMessage(text: string): void;
  /** `clean`: with a goodbye. */
  onClose(clean: boolean): void;
};

export type LinkEvents = {
  onConnection(connection: Connection): void;
  /** The first frame on a connection is `hello`: whatever was asked for before has to be asked for again. */
  onFrame(frame: ServerFrame): void;
  /** After `lost`. */
  onEnded(ending: Ending): void;
};

export class Link {
  #wire: Wire | null = null;
  #live = false;
  #opened = false;
  #refused = 0;
  /** When something last travelled either way, by `performance.now()`. */
  #lastTraffic = 0;
  #heartbeatMs = HEARTBEAT_MS;
  /** Set while a sign of life is owed: the time by which the connection is given up. */
  #owed: ReturnType<typeof setTimeout> | null = null;
  #nextPing: ReturnType<typeof setTimeout> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** `connect` starts a connection; it must not throw, nor call back before it has returned. */
  constructor(
    private readonly connect: (events: WireEvents) => Wire,
    private readonly events: LinkEvents,
  ) {}

  /** Opens a connection unless there is one, or one on its way. */
  open(): void {
    if (this.#wire) return;
    clearTimeout(this.#retry);
    this.#opened = false;
    this.#lastTraffic = performance.now();
    const wire = this.connect({
      onOpen: () => {
        if (wire === this.#wire) this.#opened = true;
      },
      onMessage: (text) => {
        if (wire === this.#wire) this.#onMessage(text);
      },
      onClose: (clean) => {
        if (wire === this.#wire) this.#onLost({ closed: true, clean });
      },
    });
    this.#wire = wire;
    this.#expectLifeWithin(OPEN_PATIENCE_MS);
  }

  /** The device woke up or is on a network again: connect now, or find out whether the connection still lives. */
  wake(): void {
    this.open();
    if (!this.#live) return;
    this.send({ type: 'ping' });
    this.#expectLifeWithin(WAKE_PATIENCE_MS);
  }

  /** Sends at once or never: a frame means nothing to the connection after this one. */
  send(frame: ClientFrame): void {
    if (!this.#live) return;
    this.#lastTraffic = performance.now();
    this.#wire?.send(JSON.stringify(frame));
  }

  #onMessage(text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    this.#lastTraffic = performance.now();
    if (this.#owed !== null) this.#rest();
    if (frame.type === 'hello') {
      this.#live = true;
      this.#refused = 0;
      this.#heartbeatMs = frame.heartbeatMs;
      this.#rest();
      this.events.onConnection('live');
    }
    this.events.onFrame(frame);
  }

  #onLost(how: { closed: boolean; clean: boolean }): void {
    this.#wire = null;
    this.#clearPulse();
    if (!this.#live) this.#refused += 1;
    const longest = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#refused);
    this.#retry = setTimeout(() => this.open(), longest * (0.5 + Math.random() / 2));
    const quietMs = performance.now() - this.#lastTraffic;
    const ending = { ...how, live: this.#live, opened: this.#opened, quietMs };
    this.#live = false;
    this.events.onConnection('lost');
    this.events.onEnded(ending);
  }

  /**
   * Nothing is owed until the next ping. Timers of a hidden tab run a minute late, so silence alone proves
   * nothing; only a ping that stays without an answer does.
   */
  #rest(): void {
    this.#clearPulse();
    this.#nextPing = setTimeout(() => {
      this.send({ type: 'ping' });
      this.#expectLifeWithin(2 * this.#heartbeatMs);
    }, this.#heartbeatMs);
  }

  #expectLifeWithin(ms: number): void {
    this.#clearPulse();
    this.#owed = setTimeout(() => {
      this.#wire?.close();
      this.#onLost({ closed: false, clean: false });
    }, ms);
  }

  #clearPulse(): void {
    clearTimeout(this.#nextPing);
    clearTimeout(this.#owed ?? undefined);
    this.#owed = null;
  }
}
