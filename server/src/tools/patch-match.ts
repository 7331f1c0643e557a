/**
 * Where a hunk belongs in a file. Pure. The lines are looked for as they stand; only when they are nowhere, with
 * less and less regard for spaces and typography, as Codex does it, so an exact match wins over any look-alike.
 */
import type { PatchEffort } from './patch-effort.ts';
import type { Hunk } from './patch-format.ts';

export type Placement = {
  /** The index of the first line the hunk covers, or that it adds lines before. */
  at: number;
  /** The hunk's lines as they were matched. */
  lines: Hunk['lines'];
  /** The first line that later hunks may cover. */
  free: number;
};

/** The lines that are nowhere; `anchor` when they are the text of an `@@`. */
export type Unplaced = { missing: string[]; anchor: boolean };

/** `from`: the first line that earlier hunks left free. Throws `Failure` (patch.large) as `effort` does. */
export function placeHunk(
  file: readonly string[],
  hunk: Hunk,
  from: number,
  effort: PatchEffort,
): Placement | Unplaced {
  const findLines = finder(file, effort);
  let cursor = from;
  for (const anchor of hunk.anchors) {
    const found = findLines([anchor], cursor, false);
    if (found === null) return { missing: [anchor], anchor: true };
    cursor = found + 1;
  }
  for (const lines of [hunk.lines, withoutTrailingBlanks(hunk.lines)]) {
    const wanted = lines.filter((line) => line.kind !== 'add').map((line) => line.text);
    if (wanted.length === 0) return { at: insertionPoint(file, hunk, cursor), lines, free: cursor };
    const at = findLines(wanted, cursor, hunk.atEnd);
    if (at !== null) return { at, lines, free: at + wanted.length };
  }
  const missing = hunk.lines.filter((line) => line.kind !== 'add').map((line) => line.text);
  return { missing, anchor: false };
}

/** Lines that are only added go below their anchor, or to the end of the file. */
function insertionPoint(file: readonly string[], hunk: Hunk, cursor: number): number {
  return hunk.anchors.length > 0 && !hunk.atEnd ? cursor : file.length;
}

/** Models leave blank lines before the next header, which read as context. */
function withoutTrailingBlanks(lines: Hunk['lines']): Hunk['lines'] {
  const last = lines.findLastIndex((line) => line.kind !== 'context' || line.text !== '');
  return lines.slice(0, last + 1);
}

type FindLines = (wanted: readonly string[], from: number, atEnd: boolean) => number | null;

function finder(file: readonly string[], effort: PatchEffort): FindLines {
  return (wanted, from, atEnd) => {
    const first = atEnd ? Math.max(from, file.length - wanted.length) : from;
    for (const view of VIEWS) {
      const seen = (line: string) => {
        effort.look(line);
        return view(line);
      };
      const at = indexOfLines(file, wanted.map(view), first, seen);
      if (at !== null) return at;
    }
    return null;
  };
}

/** Knuth, Morris and Pratt's search: linear also where thousands of blank lines are sought among millions. */
function indexOfLines(
  file: readonly string[],
  sought: readonly string[],
  from: number,
  view: (line: string) => string,
): number | null {
  const shorter = borders(sought);
  let matched = 0;
  for (let at = from; at < file.length; at++) {
    const line = view(file[at] ?? '');
    while (matched > 0 && line !== sought[matched]) matched = shorter[matched - 1] ?? 0;
    if (line === sought[matched]) matched++;
    if (matched === sought.length) return at + 1 - matched;
  }
  return null;
}

/** For each beginning of `lines`: how long the longest shorter one is that it ends with. */
function borders(lines: readonly string[]): number[] {
  const lengths = [0];
  let length = 0;
  for (const line of lines.slice(1)) {
    while (length > 0 && line !== lines[length]) length = lengths[length - 1] ?? 0;
    if (line === lines[length]) length++;
    lengths.push(length);
  }
  return lengths;
}

/** What of a line is compared, strictest first. */
const VIEWS: ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  asTyped,
];

/** Dashes, quotes and spaces as a keyboard has them. */
function asTyped(line: string): string {
  const text = line.trim();
  if (!TYPOGRAPHY.test(text)) return text;
  return text
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ');
}

const TYPOGRAPHY = /[\u00a0-\u3000]/;
