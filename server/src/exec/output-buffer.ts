/** The output of one command, bounded: its first and its last 512 KiB, and how much there was. Positions are bytes. */

const HEAD = 512 * 1024;
const TAIL = 512 * 1024;

/** Output from a position on. `omitted` bytes between `head` and `tail` were not kept; without any, `tail` is empty. */
export type NewOutput = { head: string; tail: string; bytes: number; omitted: number };

export class OutputBuffer {
  #head = Buffer.alloc(0);
  /** A ring: the byte at position p is at (p - HEAD) modulo TAIL. */
  #tail: Buffer | null = null;
  #total = 0;
  #finished = false;

  /** Copies what it keeps. */
  append(chunk: Buffer): void {
    const toHead = chunk.subarray(0, Math.max(0, HEAD - this.#total));
    if (toHead.length) {
      this.#growHead(this.#total + toHead.length);
      toHead.copy(this.#head, this.#total);
    }
    const rest = chunk.subarray(toHead.length);
    if (rest.length) this.#appendToTail(rest, this.#total + toHead.length);
    this.#total += chunk.length;
  }

  /** Nothing follows: what looked like the start of a character was none. */
  finish(): void {
    this.#finished = true;
  }

  /** The end of the last whole character. */
  get end(): number {
    if (this.#finished) return this.#total;
    return this.#total - incompleteAtEnd(this.#bytes(Math.max(0, this.#total - 3), this.#total));
  }

  /** What is kept from `from` to `end`, with invalid bytes as U+FFFD. */
  read(from: number): NewOutput {
    const to = this.end;
    const bytes = to - from;
    const tailStart = Math.max(HEAD, this.#total - TAIL);
    if (to <= HEAD || tailStart === HEAD || from >= tailStart)
      return { head: this.#bytes(from, to).toString(), tail: '', bytes, omitted: 0 };
    const head = from < HEAD ? wholeAtEnd(this.#bytes(from, HEAD)) : Buffer.alloc(0);
    const tail = wholeAtStart(this.#bytes(tailStart, to));
    return {
      head: head.toString(),
      tail: tail.toString(),
      bytes,
      omitted: bytes - head.length - tail.length,
    };
  }

  /** The whole characters from `from` to `to`, a position within the first 512 KiB, and where they end. */
  readUpTo(from: number, to: number): { text: string; end: number } {
    const whole = to < this.end ? wholeAtEnd(this.#bytes(from, to)) : this.#bytes(from, this.end);
    return { text: whole.toString(), end: from + whole.length };
  }

  /** The last characters before `end`, `limit` at most, but nothing before `from`. */
  readLast(from: number, limit: number): { text: string; skipped: number } {
    const { end } = this;
    // a UTF-16 unit takes three bytes at the most
    const start = Math.max(from, end - 3 * limit);
    const kept = this.#bytes(start, end);
    const whole = start === from ? kept : wholeAtStart(kept);
    const text = whole.toString();
    const shown = text.length > limit ? fromWholeCharacter(text.slice(-limit)) : text;
    const cut = Buffer.byteLength(text) - Buffer.byteLength(shown);
    return { text: shown, skipped: end - from - whole.length + cut };
  }

  /** The kept bytes of a range; the caller knows that none of it was dropped. */
  #bytes(from: number, to: number): Buffer {
    const inHead = this.#head.subarray(from, Math.min(to, HEAD));
    if (to <= HEAD || !this.#tail) return inHead;
    const start = (Math.max(from, HEAD) - HEAD) % TAIL;
    const length = to - Math.max(from, HEAD);
    const first = this.#tail.subarray(start, Math.min(start + length, TAIL));
    return Buffer.concat([inHead, first, this.#tail.subarray(0, length - first.length)]);
  }

  #growHead(size: number): void {
    if (size <= this.#head.length) return;
    const grown = Buffer.alloc(Math.min(HEAD, Math.max(size, 2 * this.#head.length, 4096)));
    this.#head.copy(grown);
    this.#head = grown;
  }

  #appendToTail(chunk: Buffer, position: number): void {
    this.#tail ??= Buffer.alloc(TAIL);
    const kept = chunk.subarray(-TAIL);
    const start = (position + chunk.length - kept.length - HEAD) % TAIL;
    const copied = kept.copy(this.#tail, start);
    kept.copy(this.#tail, 0, copied);
  }
}

/** How many bytes at the end begin a UTF-8 character that is not whole yet. */
function incompleteAtEnd(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    return characterLength(byte) > back ? back : 0;
  }
  return 0;
}

/** By its first byte; 1 for what cannot begin one. */
function characterLength(first: number): number {
  if (first >= 0xf0 && first < 0xf5) return 4;
  if (first >= 0xe0 && first < 0xf0) return 3;
  return first >= 0xc2 && first < 0xe0 ? 2 : 1;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function wholeAtEnd(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - incompleteAtEnd(bytes));
}

/** Without the rest of a character whose beginning was cut off. */
function wholeAtStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && isContinuation(bytes[start] ?? 0)) start++;
  return bytes.subarray(start);
}

function fromWholeCharacter(text: string): string {
  const code = text.charCodeAt(0);
  return code >= 0xdc00 && code < 0xe000 ? text.slice(1) : text;
}
