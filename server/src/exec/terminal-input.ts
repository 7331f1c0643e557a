/** What is typed into a terminal, until the program takes it. */
import { writeSync } from 'node:fs';

/** Bytes that may wait besides what the terminal itself holds. */
export const MOST_WAITING = 64 * 1024;

const FIRST_WAIT_MS = 5;
const LONGEST_WAIT_MS = 200;

/**
 * Writes to the terminal itself: libuv, which takes it for any other, waits with everything at a full one until the
 * program reads. A full one is tried again, ever later.
 */
export class TerminalInput {
  #waiting: Buffer = Buffer.alloc(0);
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly terminal: {
      /** Not blocking. */
      fd: number;
      /** Once it is closed the number may be another file's. */
      isOpen(): boolean;
    },
  ) {}

  /** Bytes that are not written yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** False, and nothing is typed, where more than `MOST_WAITING` would wait. */
  type(chars: string): boolean {
    const bytes = Buffer.from(chars);
    if (this.#waiting.length + bytes.length > MOST_WAITING) return false;
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    if (this.#timer === undefined) this.#write(FIRST_WAIT_MS);
    return true;
  }

  #write(wait: number): void {
    this.#timer = undefined;
    if (!this.terminal.isOpen()) this.#waiting = Buffer.alloc(0);
    const before = this.#waiting.length;
    while (this.#waiting.length > 0) {
      const written = this.#writeSome();
      if (written === 0) break;
      this.#waiting = this.#waiting.subarray(written);
    }
    if (this.#waiting.length === 0) return;
    const next = this.#waiting.length < before ? FIRST_WAIT_MS : Math.min(2 * wait, LONGEST_WAIT_MS);
    this.#timer = setTimeout(() => this.#write(next), next).unref();
  }

  #writeSome(): number {
    try {
      return writeSync(this.terminal.fd, this.#waiting);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') this.#waiting = Buffer.alloc(0); // it is hung up
      return 0;
    }
  }
}
