/** What a change to a file looks like to a person: unified diff hunks, without file headers, bounded. Pure. */
import { structuredPatch } from 'diff';

/** Characters of one file's diff. */
const DIFF_LIMIT = 64 * 1024;

/** Beyond so many changed lines the minimal diff takes too long to find, and would not be read either. */
const EDIT_LIMIT = 1000;

const CONTEXT = 3;

/** `null`: there is no file. Text that is not UTF-8 shows U+FFFD; what is no text at all is only named. */
export function fileDiff(before: Uint8Array | null, after: Uint8Array | null): string {
  if (before?.includes(0) || after?.includes(0)) return '\\ Binary file';
  const [old, fresh] = [textOf(before), textOf(after)];
  if (old === fresh) return '';
  return bounded(old === '' || fresh === '' ? replaced(old, fresh) : minimal(old, fresh));
}

function minimal(old: string, fresh: string): string[] {
  const options = { context: CONTEXT, maxEditLength: EDIT_LIMIT };
  const patch = structuredPatch('', '', old, fresh, '', '', options);
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

function bounded(lines: string[]): string {
  let length = 0;
  const kept = lines.findIndex((line) => {
    length += line.length + 1;
    return length > DIFF_LIMIT;
  });
  if (kept < 0) return lines.join('\n');
  return [...lines.slice(0, kept), `\\ ${lines.length - kept} more lines`].join('\n');
}

function textOf(content: Uint8Array | null): string {
  return content === null ? '' : new TextDecoder().decode(content);
}
