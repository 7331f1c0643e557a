/** One WebSocket seen as a link that may be slow: sends texts, knows when too much waits, says when it has drained. */
import type { Writable } from 'node:stream';
import type { WebSocket } from 'ws';

/** Bytes waiting in this process above which the link counts as slow, and below which it has drained. */
const CONGESTED = 64 * 1024;
const DRAINED = 16 * 1024;

export class SocketLink {
  readonly #socket: WebSocket;
  readonly #stream: Writable;
  readonly #waiting = new Set<() => void>();

  /** `stream` is what the socket writes to: nothing is compressed, so its frames stand there one after the other. */
  constructor(socket: WebSocket, stream: Writable) {
    this.#socket = socket;
    this.#stream = stream;
  }

  get congested(): boolean {
    return this.#stream.writableLength > CONGESTED;
  }

  send(text: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(text, this.#sent);
  }

  /** A message as `textFrame` makes it: many links share the bytes. */
  sendFrame(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    // a small one on an idle link cannot be what it has to drain of
    const watched = this.#stream.writableLength > 0 || frame.length > DRAINED;
    if (watched) this.#stream.write(frame, this.#sent);
    else this.#stream.write(frame);
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
      if (this.#stream.writableLength > DRAINED) return;
      this.#waiting.delete(listener);
      listener();
    }
  };
}
