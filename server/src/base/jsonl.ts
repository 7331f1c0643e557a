/**
 * JSON Lines files: an append-only writer that never glues two lines together, and a reader that survives what
 * crashes and full disks leave behind. Lines end at `\n` alone: U+2028 and U+2029 may stand inside JSON strings.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from './atomic-file.ts';
import { bringBack, isDeleted } from './deleted-file.ts';
import { Failure, messageOf } from './errors.ts';
import { makeDirectory } from './make-directory.ts';

/** Bytes of one line; a longer one is reported as damaged and skipped. */
export const LINE_LIMIT = 64 * 1024 * 1024;

/** A file without a line's end is looked at only up to this size when it is opened for writing. */
const FIRST_WRITE_LIMIT = 2 * 1024 * 1024;

/** Lines of one indented object: each is held by itself, however short it is. */
const INDENTED_LIMIT = 200_000;

/** Bytes that are read at once. */
const PIECE = 256 * 1024;

const NEWLINE = 0x0a;
const CLOSING = 0x7d;

type Pending = { text: string; done: (error?: Failure) => void };

/**
 * Appends records to a file, which it makes at the first one. All of one tick go out in one write. One writer a
 * file: who opens it holds a lock of the caller's. A file that is deleted meanwhile is back with the next record.
 */
export class JsonlWriter {
  private handle: FileHandle | undefined;
  /** Bytes in the file as far as we know; what a failed write left beyond is cut off again. */
  private size = 0;
  private torn = false;
  private madeDirectories: string[] = [];
  private waiting: Pending[] = [];
  private running: Promise<void> | undefined;

  /**
   * @param header written first when the file is new, empty, or holds nothing but a torn first line
   */
  constructor(
    readonly path: string,
    private readonly header: () => unknown[] = () => [],
  ) {}

  /**
   * Resolves once the records are with the operating system. Rejects with `file.write` when they could not be
   * written; then none of them is in the file, nor anything appended after them and before the rejection.
   */
  append(records: readonly unknown[]): Promise<void> {
    const text = linesOf(records);
    return new Promise((resolve, reject) => {
      this.waiting.push({ text, done: (error) => (error ? reject(error) : resolve()) });
      this.running ??= new Promise<void>(setImmediate).then(() => this.drain());
    });
  }

  /** Resolves when nothing waits to be written; never rejects, the appends themselves do. */
  async flush(): Promise<void> {
    while (this.running) await this.running;
  }

  /** Flushes and waits for the disk, so that it outlives a power cut. Rejects with `file.write`. */
  async sync(): Promise<void> {
    await this.flush();
    try {
      await this.handle?.datasync();
      for (const directory of this.madeDirectories.splice(0)) await syncDirectory(directory);
    } catch (error) {
      throw this.failure(error);
    }
  }

  /** Writes what waits and closes the file. An append after that opens it again. */
  async close(): Promise<void> {
    await this.flush();
    const handle = this.handle;
    this.handle = undefined;
    await handle?.close();
  }

  private async drain(): Promise<void> {
    while (this.waiting.length > 0) {
      const batch = this.waiting.splice(0);
      const error = await this.write(batch.map((pending) => pending.text).join(''));
      // what came in meanwhile builds on what has failed
      if (error) batch.push(...this.waiting.splice(0));
      for (const pending of batch) pending.done(error);
    }
    this.running = undefined;
  }

  private async write(text: string): Promise<Failure | undefined> {
    let written = 0;
    try {
      const handle = await this.opened();
      const start = this.size === 0 ? linesOf(this.header()) : this.torn ? '\n' : '';
      const bytes = Buffer.from(start + text);
      while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
      this.size += written;
      this.torn = false;
      return undefined;
    } catch (error) {
      await this.takeBack(written);
      return this.failure(error);
    }
  }

  private async opened(): Promise<FileHandle> {
    if (this.handle) {
      if (await isDeleted(this.handle)) await this.bringBack(this.handle);
      return this.handle;
    }
    const directory = dirname(this.path);
    const first = makeDirectory(directory, 0o700);
    if (first) this.madeDirectories.push(...directoriesDownTo(first, directory));
    const handle = await open(this.path, 'a+', 0o600);
    try {
      await this.inspect(handle);
    } catch (error) {
      await handle.close();
      throw error;
    }
    this.handle = handle;
    return handle;
  }

  /** Whoever has deleted it has not asked for what is said from now on to be lost. */
  private async bringBack(deleted: FileHandle): Promise<void> {
    this.handle = await bringBack(deleted, this.path, this.size);
    await deleted.close();
  }

  private async inspect(handle: FileHandle): Promise<void> {
    this.size = (await handle.stat()).size;
    if (this.size === 0) {
      this.madeDirectories.push(dirname(this.path));
      return;
    }
    const last = await handle.read(Buffer.alloc(1), 0, 1, this.size - 1);
    this.torn = last.buffer[0] !== NEWLINE;
    if (this.torn && (await this.isTornStart(handle))) {
      await handle.truncate(0);
      this.size = 0;
    }
  }

  /** Whether a crash cut the very first write: nothing in such a file was ever acknowledged. */
  private async isTornStart(handle: FileHandle): Promise<boolean> {
    if (this.size > FIRST_WRITE_LIMIT) return false;
    const { buffer } = await handle.read(Buffer.alloc(this.size), 0, this.size, 0);
    return !buffer.includes(NEWLINE) && parseLine(1, buffer)?.damage !== undefined;
  }

  /** Cuts a partial write off again, unless somebody else has appended meanwhile. */
  private async takeBack(written: number): Promise<void> {
    if (written === 0 || !this.handle) return;
    try {
      if ((await this.handle.stat()).size !== this.size + written) throw new Error('not ours alone');
      await this.handle.truncate(this.size);
    } catch {
      this.torn = true; // it stays as a damaged line, and the next record begins a new one
      this.size += written;
    }
  }

  private failure(error: unknown): Failure {
    return new Failure('unavailable', 'file.write', `cannot write ${this.path}: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function linesOf(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** The directory above `first`, `first` and all below it down to `last`, whose entries are new. */
function directoriesDownTo(first: string, last: string): string[] {
  const all = [dirname(first)];
  for (let at = dirname(last); at.length >= first.length; at = dirname(at)) all.push(at);
  return all;
}

/** One line of a file, by number from 1: what it holds, or why that could not be read. */
export type JsonlLine =
  | { number: number; value: unknown; damage?: undefined }
  | { number: number; damage: string };

/** Where a line begins, in bytes, and its number. What was read up to there need not be read again. */
export type LineStart = { at: number; number: number };

/** What lies behind a line. `closed`: its end has been written; else it is the last one, and may still grow. */
export type LineEnd = LineStart & { closed: boolean };

/** A part of a file; `end` null: up to its end. */
export type LineRange = LineStart & { end: number | null };

const WHOLE: LineRange = { at: 0, number: 1, end: null };

/**
 * Reads a file line by line in bounded memory; blank lines are left out, and an object that somebody has indented
 * over several lines counts as one. Throws what the file system says. `shortened`: what of a line is to be decoded.
 */
export async function* readJsonl(
  path: string,
  shortened: (line: Buffer) => Buffer = (line) => line,
  range: LineRange = WHOLE,
): AsyncGenerator<JsonlLine & { next: LineEnd }> {
  for await (const { number, bytes, next } of readObjects(path, range)) {
    const line =
      bytes === 'too long' ? { number, damage: 'longer than 64 MiB' } : parseLine(number, shortened(bytes));
    if (line) yield { ...line, next };
  }
}

type Numbered = { number: number; bytes: Buffer | 'too long'; next: LineEnd };

/** Line by line, but for an indented object: `{` alone, indented lines, `}`. */
async function* readObjects(path: string, range: LineRange): AsyncGenerator<Numbered> {
  let open: { number: number; lines: Buffer[]; bytes: number; next: LineEnd } | null = null;
  const taken = (): Numbered[] => {
    const whole = open && { number: open.number, bytes: Buffer.concat(open.lines), next: open.next };
    open = null;
    return whole ? [whole] : [];
  };
  for await (const line of readLines(path, range)) {
    const { number, bytes, next } = line;
    if (open && !(open.lines.length < INDENTED_LIMIT && isPart(bytes, open.bytes))) yield* taken();
    if (open && bytes !== 'too long') {
      open.lines.push(Buffer.from(bytes));
      open.bytes += bytes.length;
      open.next = next;
      if (bytes[0] === CLOSING) yield* taken();
    } else if (isOpening(bytes)) open = { number, lines: [Buffer.from(bytes)], bytes: 0, next };
    else yield line;
  }
  // cut before its end, it may still grow
  if (open) open.next = { ...open.next, closed: false };
  yield* taken();
}

function isOpening(bytes: Buffer | 'too long'): bytes is Buffer {
  return bytes !== 'too long' && bytes.length <= 2 && bytes.toString('latin1').trim() === '{';
}

/** Of an indented object that has so many bytes already. */
function isPart(bytes: Buffer | 'too long', before: number): boolean {
  if (bytes === 'too long' || before + bytes.length > LINE_LIMIT) return false;
  return bytes[0] === CLOSING || /\s/.test(String.fromCharCode(bytes[0] ?? 0));
}

function parseLine(number: number, bytes: Buffer): JsonlLine | null {
  const text = bytes.toString('utf8').trim(); // takes the \r of a CRLF along
  if (text === '') return null;
  try {
    return { number, value: JSON.parse(text) };
  } catch (error) {
    return { number, damage: messageOf(error) };
  }
}

/** The bytes of a line are there until the next one is asked for: they lie in the one buffer that is read into. */
async function* readLines(path: string, { at, number, end }: LineRange): AsyncGenerator<Numbered> {
  if (end !== null && end <= at) return;
  await using file = await open(path, 'r');
  const held = new HeldBytes(end === null ? PIECE : Math.min(PIECE, end - at));
  const start = { at, number };
  const take = (length: number, closed: boolean): Numbered => {
    const { number } = start;
    start.at += length + (closed ? 1 : 0);
    start.number += closed ? 1 : 0;
    return { number, bytes: held.take(length), next: { ...start, closed } };
  };
  for (let from = at; end === null || from < end; ) {
    const room = held.room();
    const wanted = end === null ? room.length : Math.min(room.length, end - from);
    const { bytesRead } = await file.read(room, 0, wanted, from);
    if (bytesRead === 0) break;
    from += bytesRead;
    held.add(bytesRead);
    for (let length = held.lineLength(); length !== null; length = held.lineLength())
      yield take(length, true);
  }
  if (held.rest > 0) yield take(held.rest, false);
}

/** What has been read of a file and not been taken yet, in one buffer, which grows with the longest line. */
class HeldBytes {
  private buffer: Buffer;
  private from = 0;
  private to = 0;
  /** Before this there is no end of a line. */
  private searched = 0;
  /** Bytes of a line that is too long. */
  private dropped = 0;

  constructor(size: number) {
    this.buffer = Buffer.allocUnsafeSlow(size);
  }

  /** Bytes of the line that has no end yet. */
  get rest(): number {
    return this.dropped + this.to - this.from;
  }

  /** Where more can be read into. */
  room(): Buffer {
    const kept = this.buffer.subarray(this.from, this.to);
    if (this.rest > LINE_LIMIT) {
      this.dropped = this.rest;
      this.to = this.from;
    } else if (kept.length === this.buffer.length) this.buffer = Buffer.allocUnsafeSlow(kept.length * 2);
    if (this.to > this.from) kept.copy(this.buffer);
    this.to -= this.from;
    this.searched = this.to;
    this.from = 0;
    return this.buffer.subarray(this.to);
  }

  add(bytes: number): void {
    this.to += bytes;
  }

  /** Of the first line, without its end; null: it has none yet. */
  lineLength(): number | null {
    const end = this.buffer.subarray(0, this.to).indexOf(NEWLINE, this.searched);
    this.searched = end < 0 ? this.to : end + 1;
    return end < 0 ? null : this.dropped + end - this.from;
  }

  take(length: number): Buffer | 'too long' {
    const end = this.from + length - this.dropped;
    const line = length > LINE_LIMIT ? 'too long' : this.buffer.subarray(this.from, end);
    this.from = Math.min(end + 1, this.to);
    this.dropped = 0;
    return line;
  }
}
