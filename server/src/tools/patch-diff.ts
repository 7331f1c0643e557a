/** What a change to a file looks like to a person: unified diff hunks, without file headers, bounded. Pure. */
import { isUtf8 } from 'node:buffer';
import { structuredPatch } from 'diff';
import type { PatchEffort } from './patch-effort.ts';

/** Beyond so many changed lines the minimal diff takes too long to find, and would not be read either. */
const EDIT_LIMIT = 1000;

const CONTEXT = 3;

/** One byte in so many is NUL in what is no text. */
const NUL_SHARE = 32;

const NAMED = '\\ Binary file of ';
const CUT = /(?:^|\n)\\ \d+ more lines$/;

/**
 * `null`: there is no file. Text that is not UTF-8 shows U+FFFD. What is no text is only named where it goes; what a
 * patch writes is always shown, whatever it is.
 */
export function fileDiff(before: Uint8Array | null, after: Uint8Array | null, effort: PatchEffort): string {
  if (before !== null && after === null && isBinary(before)) return `${NAMED}${before.length} bytes`;
  const [old, fresh] = [textOf(before), textOf(after)];
  if (old === fresh) return '';
  const lines = old === '' || fresh === '' ? replaced(old, fresh) : minimal(old, fresh, effort);
  const diff = bounded(lines, effort.diffLeft);
  effort.shown(diff.length);
  return diff;
}

/** As much of a diff as fits in so many characters. */
export function cutDiff(diff: string, limit: number): string {
  return diff.length <= limit ? diff : bounded(diff.split('\n'), limit);
}

/** Whether lines of the change are left out. */
export function isCut(diff: string): boolean {
  return CUT.test(diff);
}

/** Whether a diff only says that there is something that is no text. */
export function isOnlyNamed(diff: string): boolean {
  return diff.startsWith(NAMED);
}

function isBinary(content: Uint8Array): boolean {
  if (!content.includes(0)) return false;
  const nuls = content.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  return !isUtf8(content) || nuls * NUL_SHARE > content.length;
}

function minimal(old: string, fresh: string, effort: PatchEffort): string[] {
  const size = lineCount(old) + lineCount(fresh);
  const maxEditLength = Math.min(EDIT_LIMIT, effort.editsBetween(size));
  const patch = structuredPatch('', '', old, fresh, '', '', { context: CONTEXT, maxEditLength });
  const edits = patch?.hunks.flatMap(({ lines }) => lines.filter((line) => /^[+-]/.test(line)));
  effort.compared(size, edits?.length ?? maxEditLength);
  if (!patch) return replaced(old, fresh);
  return patch.hunks.flatMap((hunk) => [
    `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
    ...hunk.lines,
  ]);
}

/** All lines out, all lines in. */
function replaced(old: string, fresh: string): string[] {
  const range = (lines: number) => `${Math.min(1, lines)},${lines}`;
  const [removed, added] = [marked('-', old), marked('+', fresh)];
  const count = (lines: string[]) => lines.filter((line) => !line.startsWith('\\')).length;
  return [`@@ -${range(count(removed))} +${range(count(added))} @@`, ...removed, ...added];
}

function marked(mark: '-' | '+', text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n').map((line) => mark + line);
  return text.endsWith('\n') ? lines.slice(0, -1) : [...lines, '\\ No newline at end of file'];
}

function bounded(lines: string[], limit: number): string {
  let length = 0;
  const kept = lines.findIndex((line) => {
    length += line.length + 1;
    return length > limit;
  });
  if (kept < 0) return lines.join('\n');
  return [...lines.slice(0, kept), `\\ ${lines.length - kept} more lines`].join('\n');
}

function lineCount(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function textOf(content: Uint8Array | null): string {
  return content === null ? '' : new TextDecoder().decode(content);
}
