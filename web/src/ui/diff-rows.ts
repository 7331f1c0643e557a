/** Unified diff hunks to numbered rows. */

export type DiffRow =
  | { kind: 'context'; before: number; after: number; text: string }
  | { kind: 'add'; after: number; text: string }
  | { kind: 'delete'; before: number; text: string }
  /** A jump between two hunks (with the hunk's heading), or a remark such as a missing newline. */
  | { kind: 'gap' | 'remark'; text: string };

export type Diff = { rows: DiffRow[]; added: number; removed: number };

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** Lines before the first hunk header, and hunks that give no numbers, count from line 1. */
export function parseDiff(diff: string): Diff {
  const rows: DiffRow[] = [];
  const next = { before: 1, after: 1 };
  let added = 0;
  let removed = 0;
  for (const line of linesOf(diff)) {
    const row = parseLine(line, next);
    if (row.kind === 'add') added += 1;
    if (row.kind === 'delete') removed += 1;
    // the first header stands above nothing it could be a gap to
    if (row.kind !== 'gap' || rows.length > 0) rows.push(row);
  }
  return { rows, added, removed };
}

function linesOf(diff: string): string[] {
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function parseLine(line: string, next: { before: number; after: number }): DiffRow {
  const text = line.slice(1).replace(/\r$/, '');
  if (line.startsWith('@@')) {
    const hunk = HUNK.exec(line);
    if (hunk) Object.assign(next, { before: Number(hunk[1]), after: Number(hunk[2]) });
    return { kind: 'gap', text: hunk?.[3] ?? '' };
  }
  if (line.startsWith('+')) return { kind: 'add', after: next.after++, text };
  if (line.startsWith('-')) return { kind: 'delete', before: next.before++, text };
  if (line.startsWith('\\')) return { kind: 'remark', text: text.trim() };
  return { kind: 'context', before: next.before++, after: next.after++, text };
}
