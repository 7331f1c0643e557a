/** One WebSocket seen as a link that may be slow: sends texts, knows when too much waits, says when it has drained. */
import type { WebSocket } from 'ws';

/** Bytes waiting in this process above which the link counts as slow, and below which it has drained. */
const CONGESTED = 64 * 1024;
const DRAINED = 16 * 1024;

export class SocketLink {
  readonly #socket: WebSocket;
  readonly #waiting = new Set<() => void>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
  }

  get congested(): boolean {
    return this.#socket.bufferedAmount > CONGESTED;
  }

  send(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text, this.#sent);
  }

  /** Calls `listener` once, when the link has drained. A listener that waits already is not added twice. */
  whenDrained(listener: () => void): void {
    this.#waiting.add(listener);
  }

  forget(listener: () => void): void {
    this.#waiting.delete(listener);
  }

  #sent = (): void => {
    // one at a time: what a listener sends may fill the link again
    for (const listener of this.#waiting) {
      if (this.#socket.bufferedAmount > DRAINED) return;
      this.#waiting.delete(listener);
      listener();
    }
  };
}
