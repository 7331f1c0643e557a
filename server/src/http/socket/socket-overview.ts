/** What one socket hears of the overview and of the people around, once it has asked. A slow one hears the newest. */
import type { OverviewFeed } from './overview-feed.ts';
import type { Presence } from './presence.ts';
import type { SocketLink } from './socket-link.ts';

/** Asked for again within this time, all is sent again once, when it is over. */
const REPEAT_MS = 100;

export class SocketOverview {
  #stops: (() => void)[] | null = null;
  #lastOverview = '';
  #pause: NodeJS.Timeout | null = null;
  #askedAgain = false;

  constructor(
    private readonly link: SocketLink,
    private readonly overview: OverviewFeed,
    private readonly presence: Presence,
  ) {}

  /** Sends all there is, and from then on what changes. Asked for again, it is all sent again. */
  start(): void {
    this.#stops ??= [
      this.overview.listen((frame) => this.#sendOverview(frame)),
      this.presence.listen((frame) => this.#sendPeople(frame)),
    ];
    if (this.#pause) this.#askedAgain = true;
    else this.#sendAll();
  }

  #sendAll(): void {
    this.#pause = setTimeout(() => this.#afterPause(), REPEAT_MS);
    this.#lastOverview = '';
    this.#sendNewestOverview();
    this.#sendEverybody();
    this.#askedAgain = false;
  }

  #afterPause(): void {
    this.#pause = null;
    if (this.#askedAgain) this.#sendAll();
  }

  stop(): void {
    if (this.#pause) clearTimeout(this.#pause);
    for (const stop of this.#stops ?? []) stop();
    this.link.forget(this.#sendNewestOverview);
    this.link.forget(this.#sendEverybody);
  }

  #sendOverview(frame: string): void {
    if (frame === this.#lastOverview) return;
    if (this.link.congested) {
      this.link.whenDrained(this.#sendNewestOverview);
      return;
    }
    this.#lastOverview = frame;
    this.link.send(frame);
  }

  #sendNewestOverview = (): void => this.#sendOverview(this.overview.frame());

  /** A change that was missed is made good by everybody. */
  #sendPeople(frame: string): void {
    if (this.link.congested) this.link.whenDrained(this.#sendEverybody);
    else this.link.send(frame);
  }

  #sendEverybody = (): void => this.#sendPeople(this.presence.frame());
}
