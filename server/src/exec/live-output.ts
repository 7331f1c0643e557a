/** Shows a command's output while it comes, at a bounded rate, in the form that `growOutput` folds. */
import { OUTPUT_HEAD, OUTPUT_TAIL } from '@tscodex/shared/limits';
import type { OutputBuffer } from './output-buffer.ts';

const PERIOD_MS = 50;
/** Holds OUTPUT_HEAD characters whatever they are: a UTF-16 unit takes three bytes at the most. */
const HEAD_BYTES = 3 * OUTPUT_HEAD;

export class LiveOutput {
  #sent = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(
    private readonly buffer: OutputBuffer,
    /** `skipped` bytes lie between what was delivered before and `delta`. */
    private readonly deliver: (delta: string, skipped: number) => void,
  ) {}

  /** There is more in the buffer: it is delivered at once, or at the end of the period that runs. */
  changed(): void {
    if (this.#pause) return;
    this.#send();
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.buffer.end > this.#sent) this.changed();
    }, PERIOD_MS);
  }

  /** Delivers the rest. */
  finish(): void {
    clearTimeout(this.#pause);
    this.#send();
  }

  /** Delivers nothing more. */
  drop(): void {
    clearTimeout(this.#pause);
  }

  #send(): void {
    if (this.#sent < HEAD_BYTES) {
      const head = this.buffer.readUpTo(this.#sent, HEAD_BYTES);
      this.#pass(head.text, 0, head.end);
    }
    const { text, skipped } = this.buffer.readLast(this.#sent, OUTPUT_TAIL);
    this.#pass(text, skipped, this.buffer.end);
  }

  #pass(delta: string, skipped: number, end: number): void {
    this.#sent = end;
    if (delta !== '' || skipped > 0) this.deliver(delta, skipped);
  }
}
