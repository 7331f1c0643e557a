/**
 * What a browser can find out about a proxy in between, from how its connections end. It is told nothing: a socket
 * that was refused looks like one that was cut. Pure.
 */

/** How one connection ended. */
export type Ending = {
  /** The server had said hello on it. */
  live: boolean;
  /** The handshake had come through. */
  opened: boolean;
  /** Somebody closed it; else this side gave it up, for want of a sign of life. */
  closed: boolean;
  /** With a WebSocket's goodbye, which servers say and proxies do not. */
  clean: boolean;
  /** How long nothing had travelled on it. */
  quietMs: number;
};

/** `refused`: never comes up. `silent`: comes up, and nothing arrives. `idle`: is cut when it is quiet. */
export type Suspicion = { kind: 'refused' | 'silent' } | { kind: 'idle'; seconds: number };

/** So many of a kind in a row are no passing trouble. */
const REFUSED = 3;
const SILENT = 2;
const CUT = 3;

/** Cuts of a timer are alike, as far as a busy device can tell; below a second it is no timer that one sets for quiet connections. */
const SHORTEST_QUIET_MS = 1_000;
const ALIKE_MS = 2_000;

export class ProxyTrouble {
  #refused = 0;
  #silent = 0;
  #quiet: number[] = [];

  /** What the endings so far tell; null while they may mean anything. */
  ended({ live, opened, closed, clean, quietMs }: Ending): Suspicion | null {
    if (live) return this.#cut(closed && !clean ? quietMs : 0);
    if (opened && !closed) {
      this.#silent += 1;
      return this.#silent >= SILENT ? { kind: 'silent' } : null;
    }
    this.#refused += 1;
    return this.#refused >= REFUSED ? { kind: 'refused' } : null;
  }

  /** The server said hello. */
  cameUp(): void {
    this.#refused = 0;
    this.#silent = 0;
  }

  /** A connection was quiet for as long as it ever is, and lives. */
  outlivedQuiet(): void {
    this.#quiet = [];
  }

  #cut(quietMs: number): Suspicion | null {
    this.#quiet = quietMs < SHORTEST_QUIET_MS ? [] : [...this.#quiet, quietMs].slice(-CUT);
    const shortest = Math.min(...this.#quiet);
    const alike = Math.max(...this.#quiet) - shortest <= ALIKE_MS;
    if (this.#quiet.length < CUT || !alike) return null;
    return { kind: 'idle', seconds: Math.round(shortest / 1_000) };
  }
}
