/**
 * How often a secret may be tried. Token buckets: each source has 10 tries and one more per 10 seconds, all
 * sources together 60 a minute; nobody is ever locked out for good. Pure but for its own counters; the clock is
 * given. Use: `take` before comparing, `giveBack` when the secret was right.
 */
import { isIPv6 } from 'node:net';

const SOURCE = { tries: 10, refillMs: 10_000 };
const GLOBAL = { tries: 60, refillMs: 1_000 };

/** Above this many sources those whose bucket is full again are forgotten. */
const SOURCES_KEPT = 1_000;

type Bucket = { tries: number; at: number };

export class LoginThrottle {
  readonly #now: () => number;
  readonly #sources = new Map<string, Bucket>();
  #global: Bucket;

  /** `now`: milliseconds that never go back. */
  constructor(now: () => number) {
    this.#now = now;
    this.#global = { tries: GLOBAL.tries, at: now() };
  }

  /**
   * Counts a try. Returns null when it may go ahead, else the seconds to wait. `known` sources (browsers that
   * have logged in before) are not held up by what strangers do: the global bucket is not theirs.
   */
  take(source: string, known: boolean): number | null {
    const now = this.#now();
    const own = refilled(this.#sources.get(source) ?? { tries: SOURCE.tries, at: now }, SOURCE, now);
    this.#global = refilled(this.#global, GLOBAL, now);
    if (own.tries < 1) return secondsUntilOne(own, SOURCE);
    if (!known && this.#global.tries < 1) return secondsUntilOne(this.#global, GLOBAL);
    this.#sources.set(source, { ...own, tries: own.tries - 1 });
    if (!known) this.#global = { ...this.#global, tries: this.#global.tries - 1 };
    if (this.#sources.size > SOURCES_KEPT) this.#forgetFull(now);
    return null;
  }

  /** Undoes a `take`: the secret was right. */
  giveBack(source: string, known: boolean): void {
    const own = this.#sources.get(source);
    if (own) own.tries = Math.min(SOURCE.tries, own.tries + 1);
    if (!known) this.#global.tries = Math.min(GLOBAL.tries, this.#global.tries + 1);
  }

  #forgetFull(now: number): void {
    for (const [source, bucket] of this.#sources)
      if (refilled(bucket, SOURCE, now).tries >= SOURCE.tries) this.#sources.delete(source);
  }
}

/** The bucket key of an address: itself, or the /64 an IPv6 address lies in (one subscriber has all of it). */
export function sourceOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  const plain = address.replace(/%.*$/, '');
  if (!isIPv6(plain)) return address;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? left : [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

function refilled(bucket: Bucket, rate: typeof SOURCE, now: number): Bucket {
  return { tries: Math.min(rate.tries, bucket.tries + (now - bucket.at) / rate.refillMs), at: now };
}

function secondsUntilOne(bucket: Bucket, rate: typeof SOURCE): number {
  return Math.max(1, Math.ceil(((1 - bucket.tries) * rate.refillMs) / 1000));
}
