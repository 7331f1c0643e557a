/**
 * A file's bytes as lines, and back. Pure. A line keeps its own bytes and its own ending, so what a patch does
 * not touch stays byte for byte what it was, whatever its encoding.
 */
import type { PatchLine } from './patch-format.ts';

type Ending = '' | '\n' | '\r\n';

export type FileLine = {
  /** For comparing; bytes that are not UTF-8 read as U+FFFD. */
  text: string;
  /** Without the ending. */
  bytes: Uint8Array;
  /** Empty on the last line of a file that has no newline there. */
  ending: Ending;
};

export type FileLines = { bom: boolean; lines: FileLine[] };

const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LF = 0x0a;
const CR = 0x0d;

function splitLines(content: Uint8Array): FileLines {
  const all = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  const bom = all.subarray(0, BOM.length).equals(BOM);
  const lines: FileLine[] = [];
  for (let at = bom ? BOM.length : 0; at < all.length; ) {
    const lf = all.indexOf(LF, at);
    const ending = lf < 0 ? '' : lf > at && all[lf - 1] === CR ? '\r\n' : '\n';
    const next = lf < 0 ? all.length : lf + 1;
    const bytes = all.subarray(at, next - ending.length);
    lines.push({ text: bytes.toString('utf8'), bytes, ending });
    at = next;
  }
  return { bom, lines };
}

/** Every line but the last gets an ending: a line that was last and is no more takes its neighbour's. */
function joinLines({ bom, lines }: FileLines): Uint8Array {
  const parts: Uint8Array[] = bom ? [BOM] : [];
  lines.forEach((line, i) => {
    const inner = i < lines.length - 1;
    parts.push(line.bytes, Buffer.from(line.ending || (inner ? lines[i - 1]?.ending || '\n' : '')));
  });
  return Buffer.concat(parts);
}

/** A file's content while it is worked on: taken apart once, and put together once. */
export class Content {
  #bytes: Uint8Array | null;
  #file: FileLines | null;

  constructor(content: Uint8Array | FileLines) {
    const isFile = 'lines' in content;
    this.#bytes = isFile ? null : content;
    this.#file = isFile ? content : null;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= joinLines(this.file);
    return this.#bytes;
  }

  get file(): FileLines {
    this.#file ??= splitLines(this.#bytes ?? new Uint8Array());
    return this.#file;
  }
}

/** `lines` of a hunk, which belong at the index `at` of a file. */
export type PlacedLines = { at: number; lines: readonly PatchLine[] };

/**
 * `file` with what each hunk covers (context and removed lines) replaced by what it leaves (context, as the file has
 * it, and added lines). The hunks come in the order of the file and cover nothing twice.
 */
export function changeLines(file: readonly FileLine[], hunks: readonly PlacedLines[]): FileLine[] {
  const result: FileLine[] = [];
  let next = 0;
  const copyUntil = (end: number) => {
    for (const line of file.slice(next, end)) result.push(line);
    next = Math.max(next, end);
  };
  for (const { at, lines } of hunks) {
    copyUntil(at);
    let removed: FileLine[] = [];
    let replaced = 0;
    for (const change of lines) {
      if (change.kind === 'add') {
        const model = removed[replaced++] ?? result.at(-1) ?? file[next];
        result.push(newLine(change.text, model?.ending ?? '\n'));
        continue;
      }
      const line = file[next++];
      if (line && change.kind === 'remove') removed.push(line);
      else if (line) {
        result.push(line);
        removed = [];
        replaced = 0;
      }
    }
  }
  copyUntil(file.length);
  return result;
}

function newLine(text: string, ending: Ending): FileLine {
  return { text, bytes: Buffer.from(text), ending };
}
