import { Anchor } from './anchor.ts';
import { canScroll, distanceToEnd, followsAfterScroll, isAway, isUpwardKey, type Place } from './follow.ts';

export type Following = {
  following: boolean;
  /** The end is out of sight. */
  away: boolean;
  /** Something came since the reader let go. */
  newOutput: boolean;
};

/**
 * Keeps the end of `content` in view inside `view` as it grows, until the reader wants to stay. The size is only
 * read where the browser has just computed it (resize and scroll callbacks), so a delta costs no layout.
 */
export class Follower {
  #state: Following = { following: true, away: false, newOutput: false };
  #place: Place;
  #width: number;
  #touchY = 0;
  /** The mouse button is down: text that moves under it cannot be selected. */
  #held = false;
  /** The reader opened something: what grows next is no news. */
  #opened = false;
  /** What stays where it is for a reader while something above it changes. */
  readonly #anchor: Anchor;
  #detached = false;
  readonly #observer = new ResizeObserver(() => this.#settle());
  readonly #ended = new AbortController();

  constructor(
    private readonly view: HTMLElement,
    content: HTMLElement,
    private readonly onChange: (state: Following) => void,
    /** The end is to be followed: it must be what is shown. */
    private readonly toNewest: () => void = () => undefined,
    /** What is read has left the page: see `Anchor`. */
    lost: (item: { id: string; top: number }) => void = () => undefined,
  ) {
    this.#anchor = new Anchor(view, content, lost);
    this.#place = this.#toEnd();
    this.#width = view.clientWidth;
    this.#observer.observe(view);
    this.#observer.observe(content);
    this.#listen();
  }

  /** Goes to the end and follows it from now on. */
  follow(): void {
    this.toNewest();
    this.#detached = false;
    this.#place = this.#toEnd();
    this.#set({ following: true, away: false, newOutput: false });
  }

  /** Stays where the reader is brought to now. */
  letGo(): void {
    this.#set({ following: false });
    this.#anchor.drop();
  }

  /** Where the end of what is shown is not that of the conversation, it is not followed. */
  set detached(detached: boolean) {
    this.#detached = detached;
    if (detached) this.#letGo();
  }

  /** What is read stays where it is; for after a change of what is shown above it. */
  keepPlace(): void {
    if (this.#state.following) return;
    this.#anchor.hold();
    this.#place = placeOf(this.view);
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#ended.abort();
  }

  #listen(): void {
    const { signal } = this.#ended;
    const passive = { signal, passive: true };
    const on = this.view.addEventListener.bind(this.view);
    on('scroll', () => this.#scrolled(), passive);
    on('wheel', (event) => event.deltaY < 0 && this.#wantsUp(event), passive);
    on('touchstart', (event) => this.#touched(event), passive);
    on('touchmove', (event) => this.#touched(event), passive);
    on('keydown', (event) => this.#pressed(event), { signal });
    on('pointerdown', (event) => this.#pointed(event), { signal });
    document.addEventListener('pointerup', () => this.#released(), { signal });
    document.addEventListener('pointercancel', () => this.#released(), { signal });
    // before the click opens something: what it shows is to be read from its beginning
    on('click', (event) => opensSomething(event.target) && this.#open(), { signal, capture: true });
    document.addEventListener('selectionchange', () => this.#selects() && this.#letGo(), { signal });
  }

  #settle(): void {
    // what a narrower view wraps anew is no news
    const rewrapped = this.view.clientWidth !== this.#width;
    this.#width = this.view.clientWidth;
    if (this.#state.following) {
      this.#place = this.#held ? placeOf(this.view) : this.#toEnd();
      return;
    }
    const before = this.#place;
    this.keepPlace();
    if (!this.#detached && !canScroll(this.#place) && !this.#selects()) this.follow();
    else if (distanceToEnd(this.#place) > distanceToEnd(before))
      this.#set(this.#opened || rewrapped ? {} : { newOutput: true });
    this.#opened = false;
  }

  #scrolled(): void {
    const before = this.#place;
    this.#place = placeOf(this.view);
    const following = !this.#detached && followsAfterScroll(this.#state.following, before, this.#place);
    if (!following) this.#anchor.take();
    if (following && !this.#held) this.#place = this.#toEnd();
    this.#set(following ? { following, newOutput: false } : { following });
  }

  #pressed(event: KeyboardEvent): void {
    if (isUpwardKey(event)) this.#wantsUp(event);
    // the browser would travel to where the end is now, and arrive too late while it moves on
    else if (event.key === 'End') this.follow();
  }

  #wantsUp(event: Event): void {
    const inner = (event.target as Element).closest('[data-scrolls]');
    if (!inner && canScroll(this.#place)) this.#letGo();
  }

  #touched(event: TouchEvent): void {
    const y = event.touches[0]?.clientY ?? 0;
    if (event.type === 'touchmove' && y > this.#touchY) this.#wantsUp(event);
    this.#touchY = y;
  }

  #pointed(event: PointerEvent): void {
    const onScrollbar = event.target === this.view && event.offsetX >= this.view.clientWidth;
    if (onScrollbar) this.#letGo();
    else this.#held = event.pointerType === 'mouse' && event.button === 0;
  }

  #released(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#settle();
  }

  #selects(): boolean {
    const selection = document.getSelection();
    return selection !== null && !selection.isCollapsed && this.view.contains(selection.anchorNode);
  }

  #open(): void {
    this.#opened = true;
    this.#letGo();
  }

  #letGo(): void {
    if (this.#state.following) this.#anchor.take();
    this.#set({ following: false });
  }

  #toEnd(): Place {
    this.view.scrollTop = this.view.scrollHeight;
    return placeOf(this.view);
  }

  #set(change: Partial<Following>): void {
    const before = this.#state;
    const state = { ...before, ...change, away: isAway(this.#place) };
    this.#state = state;
    const keys = ['following', 'away', 'newOutput'] as const;
    if (keys.some((key) => state[key] !== before[key])) this.onChange(state);
  }
}

function placeOf(view: HTMLElement): Place {
  return { top: view.scrollTop, height: view.scrollHeight, view: view.clientHeight };
}

function opensSomething(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[aria-expanded="false"], [data-shows-more]') !== null;
}
