import { messageOf } from '../base/errors.ts';

/** What has to be released, last taken first. */
export class Held {
  readonly #releases: (() => unknown)[] = [];

  add(release: () => unknown): void {
    this.#releases.push(release);
  }

  /** Releases everything; throws what went wrong once all were tried. */
  async release(): Promise<void> {
    const faults: unknown[] = [];
    for (let next = this.#releases.pop(); next; next = this.#releases.pop()) {
      try {
        await next();
      } catch (fault) {
        faults.push(fault);
      }
    }
    if (faults.length > 0) throw new AggregateError(faults, faults.map(messageOf).join('; '));
  }
}
