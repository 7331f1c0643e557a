/**
 * The patch format, as Codex has it: text to sections. Pure. As forgiving as Codex where the meaning is plain:
 * blank lines around the patch and between its parts, a heredoc around it, no `@@` before the first hunk, an
 * empty line for an empty line of context, a move without changes.
 */
import { Failure } from '../base/errors.ts';
import { LINE_LIMIT, PATCH_LIMIT, SECTION_LIMIT, tooLarge } from './patch-effort.ts';

export type PatchLine = { kind: 'context' | 'add' | 'remove'; text: string };

export type Hunk = {
  /** Texts after `@@`: lines to find one after the other before the hunk's own are looked for. */
  anchors: string[];
  lines: PatchLine[];
  /** The hunk's lines are the last ones of the file (`*** End of File`). */
  atEnd: boolean;
};

export type Section =
  | { type: 'add'; path: string; lines: string[] }
  | { type: 'delete'; path: string }
  | { type: 'update'; path: string; movedTo?: string; hunks: Hunk[] };

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const ADD = '*** Add File: ';
const DELETE = '*** Delete File: ';
const UPDATE = '*** Update File: ';
const MOVE = '*** Move to: ';
const END_OF_FILE = '*** End of File';

/** Linux takes no longer ones. */
const PATH_LIMIT = 4096;

/** The first line of a patch that was pasted with its shell command: `apply_patch <<'EOF'`. */
const HEREDOC = /^(?:apply_?patch\s*)?<<\s*(['"]?)([^'"\s]+)\1$/;

const KINDS: Record<string, PatchLine['kind']> = { ' ': 'context', '+': 'add', '-': 'remove' };

/** Throws `Failure`: patch.syntax, naming the line and what was expected there; patch.large. */
export function parsePatch(text: string): Section[] {
  if (Buffer.byteLength(text) > PATCH_LIMIT)
    throw tooLarge(`the patch is longer than ${PATCH_LIMIT / 1024 / 1024} MiB; send it in parts`);
  const lines = text.split(/\r?\n/);
  if (lines.length > LINE_LIMIT)
    throw tooLarge(`the patch has more than ${LINE_LIMIT} lines; send it in parts`);
  const reader = new LineReader(lines);
  reader.enterEnvelope();
  const sections: Section[] = [];
  while (reader.skipBlank()) sections.push(parseSection(reader));
  if (sections.length > SECTION_LIMIT)
    throw tooLarge(`the patch is for more than ${SECTION_LIMIT} files; send it in parts`);
  if (sections.length === 0) throw reader.expected(`"${ADD}PATH", "${UPDATE}PATH" or "${DELETE}PATH"`);
  return sections;
}

function parseSection(reader: LineReader): Section {
  const add = reader.takeHeader(ADD);
  if (add !== null) return { type: 'add', path: add, lines: parseAddedLines(reader) };
  const deleted = reader.takeHeader(DELETE);
  if (deleted !== null) return { type: 'delete', path: deleted };
  const update = reader.takeHeader(UPDATE);
  if (update !== null) return parseUpdate(reader, update);
  throw reader.expected(`"${ADD}PATH", "${UPDATE}PATH", "${DELETE}PATH" or "${END}"`);
}

function parseAddedLines(reader: LineReader): string[] {
  const lines: string[] = [];
  for (let line = reader.peek(); line?.startsWith('+'); line = reader.peek()) {
    lines.push(line.slice(1));
    reader.take();
  }
  return lines;
}

function parseUpdate(reader: LineReader, path: string): Section {
  const movedTo = reader.takeHeader(MOVE);
  const hunks: Hunk[] = [];
  while (reader.skipBlank() && !reader.peek()?.startsWith('*** ')) hunks.push(parseHunk(reader));
  if (movedTo !== null) return { type: 'update', path, movedTo, hunks };
  if (hunks.length === 0) throw reader.expected(`"@@" and lines that change ${path}`);
  return { type: 'update', path, hunks };
}

function parseHunk(reader: LineReader): Hunk {
  const hunk: Hunk = { anchors: [], lines: [], atEnd: false };
  for (let line = reader.peek(); line !== undefined && isAnchor(line); line = reader.peek()) {
    if (line.slice(2).trim() !== '') hunk.anchors.push(line.slice(3));
    reader.take();
  }
  for (let line = reader.peek(); line !== undefined; line = reader.peek()) {
    const kind = line === '' ? 'context' : KINDS[line[0] ?? ''];
    if (kind === undefined) break;
    hunk.lines.push({ kind, text: line.slice(1) });
    reader.take();
  }
  if (hunk.lines.length === 0) throw reader.expected('"@@", or a line that begins with " ", "+" or "-"');
  if (reader.peek()?.trim() === END_OF_FILE) {
    hunk.atEnd = true;
    reader.take();
  }
  return hunk;
}

function isAnchor(line: string): boolean {
  return line.trimEnd() === '@@' || line.startsWith('@@ ');
}

/** Walks the lines of a patch and knows the number of each. */
class LineReader {
  private at = 0;
  private end: number;

  constructor(private readonly lines: readonly string[]) {
    this.end = lines.length;
  }

  /** Narrows to what lies between "Begin Patch" and "End Patch". */
  enterEnvelope(): void {
    this.trimBlank();
    const heredoc = HEREDOC.exec(this.peek()?.trim() ?? '');
    if (heredoc && this.last().trim() === heredoc[2]) {
      this.at += 1;
      this.end -= 1;
      this.trimBlank();
    }
    if (this.peek()?.trim() !== BEGIN) throw this.expected(`"${BEGIN}"`);
    if (this.last().trim() !== END) {
      this.at = this.end - 1;
      throw this.expected(`"${END}" as the last line`);
    }
    this.at += 1;
    this.end -= 1;
  }

  peek(): string | undefined {
    return this.at < this.end ? this.lines[this.at] : undefined;
  }

  take(): void {
    this.at += 1;
  }

  /** The value after `prefix` when the next line has it. */
  takeHeader(prefix: string): string | null {
    const line = this.peek();
    if (!line?.startsWith(prefix)) return null;
    const value = line.slice(prefix.length).trim();
    if (value === '') throw this.expected(`a path after "${prefix.trim()}"`);
    if (value.length > PATH_LIMIT) throw this.expected(`a path of at most ${PATH_LIMIT} characters`);
    this.take();
    return value;
  }

  /** False at the end. */
  skipBlank(): boolean {
    while (this.peek()?.trim() === '') this.take();
    return this.peek() !== undefined;
  }

  expected(what: string): Failure {
    const found = this.lines[this.at];
    const there = found === undefined ? 'the patch ends there' : `found "${found.slice(0, 200)}"`;
    return new Failure(
      'invalid',
      'patch.syntax',
      `The patch is not valid: line ${this.at + 1}: expected ${what}, ${there}`,
    );
  }

  private last(): string {
    return this.lines[this.end - 1] ?? '';
  }

  private trimBlank(): void {
    this.skipBlank();
    while (this.end > this.at && this.last().trim() === '') this.end -= 1;
  }
}
