/**
 * What working out one patch may take, since the server does nothing else meanwhile. Counted and not timed, so that a
 * patch is refused always or never.
 */
import { Failure } from '../base/errors.ts';

/** UTF-8 bytes of a patch. */
export const PATCH_LIMIT = 1024 * 1024;

/** Files that a patch names, counted as often as it names them. */
export const SECTION_LIMIT = 1000;

/** Lines of a patch, and of all files together that it touches. */
export const LINE_LIMIT = 200_000;

/** Bytes of all files together that it touches. */
const READ_LIMIT = 32 * 1024 * 1024;

/** Lines looked at to find where hunks belong; a long line counts as one per 64 characters. */
const LOOK_LIMIT = 5_000_000;

/** Lines compared to find what two versions of a file have in common, all files together. */
const COMPARE_LIMIT = 100_000_000;

/** What it costs to follow one edit beside all others, as lines compared. */
const EDIT_COST = 8;

/** Characters of all diffs together. */
const DIFF_LIMIT = 1024 * 1024;

const LF = 0x0a;

/** The methods that take something throw `Failure` (patch.large) once it is too much. */
export class PatchEffort {
  #lines = 0;
  #bytes = 0;
  #looks = 0;
  #comparisons = COMPARE_LIMIT;
  #diff = DIFF_LIMIT;

  /** A file is read. */
  read(name: string, content: Uint8Array): void {
    this.#bytes += content.length;
    if (this.#bytes > READ_LIMIT)
      throw tooLarge(
        `${name}: what the patch changes is larger than ${READ_LIMIT / 1024 / 1024} MiB together; change fewer files at once`,
      );
    this.#lines += lineCount(content, LINE_LIMIT - this.#lines);
    if (this.#lines > LINE_LIMIT)
      throw tooLarge(
        `${name}: what the patch changes has more than ${LINE_LIMIT} lines together; change fewer files at once, or use a command`,
      );
  }

  /** A line is looked at. */
  look(line: string): void {
    this.#spend(1 + (line.length >> 6));
  }

  /** A file's lines are gone through once. */
  pass(lines: number): void {
    this.#spend(lines);
  }

  /** How many edits may be searched for between two versions that have so many lines together. */
  editsBetween(lines: number): number {
    // the positive solution of costOf(lines, edits) = comparisons
    const root = Math.sqrt(lines * lines + 4 * EDIT_COST * this.#comparisons);
    return Math.floor((root - lines) / (2 * EDIT_COST));
  }

  /** So many were searched for. */
  compared(lines: number, edits: number): void {
    this.#comparisons = Math.max(0, this.#comparisons - costOf(lines, edits));
  }

  /** How many characters a diff may still have. */
  get diffLeft(): number {
    return this.#diff;
  }

  /** A diff has so many. */
  shown(characters: number): void {
    this.#diff = Math.max(0, this.#diff - characters);
  }

  /** Lines looked at so far. */
  get looks(): number {
    return this.#looks;
  }

  #spend(lines: number): void {
    this.#looks += lines;
    if (this.#looks > LOOK_LIMIT)
      throw tooLarge(
        'its hunks are too hard to find; copy their lines exactly, put all hunks of a file under one header, and send fewer at once',
      );
  }
}

export function tooLarge(message: string): Failure {
  return new Failure('invalid', 'patch.large', message);
}

function costOf(lines: number, edits: number): number {
  return edits * (lines + EDIT_COST * edits);
}

/** Counts no further than one beyond `most`. */
function lineCount(content: Uint8Array, most: number): number {
  let count = 0;
  for (let at = 0; at < content.length && count <= most; count++) {
    const lf = content.indexOf(LF, at);
    at = lf < 0 ? content.length : lf + 1;
  }
  return count;
}
