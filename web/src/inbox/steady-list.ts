/**
 * A list that does not move under a hand: as long as it is held, what is new is added below, and what has ended stays
 * in its place and says how. Pure.
 */
import { byAge, type Waiting } from './waiting.ts';

/** How long one that has ended stays to be read, in milliseconds. */
export const READING_MS = 4_000;

export type Row = {
  waiting: Waiting;
  /** When it was found to wait no more; null while it does. */
  endedAt: number | null;
};

/** Where a pointer rests: elsewhere, on the list, or on what lies below it and would be pushed away. */
export type Hand = 'away' | 'on' | 'below';

/** The rows after `waiting` was told. Returns `rows` itself when nothing changes. */
export function steady(
  rows: readonly Row[],
  waiting: readonly Waiting[],
  { hand, now }: { hand: Hand; now: number },
): readonly Row[] {
  const open = new Map(waiting.map((one) => [one.key, one]));
  const kept = rows.flatMap((row): Row[] => {
    const still = open.get(row.waiting.key);
    if (still)
      return [still === row.waiting && row.endedAt === null ? row : { waiting: still, endedAt: null }];
    const endedAt = row.endedAt ?? now;
    if (hand === 'away' && now - endedAt >= READING_MS) return [];
    return [row.endedAt === null ? { ...row, endedAt } : row];
  });
  const known = new Set(rows.map((row) => row.waiting.key));
  const added = hand === 'below' ? [] : waiting.filter(({ key }) => !known.has(key));
  const next = [...kept, ...added.map((one): Row => ({ waiting: one, endedAt: null }))];
  if (hand === 'away') next.sort((a, b) => byAge(a.waiting, b.waiting));
  return same(rows, next) ? rows : next;
}

/** When rows that have ended are due to leave a list that nobody holds; null when there are none. */
export function nextLeave(rows: readonly Row[]): number | null {
  const ends = rows.flatMap(({ endedAt }) => (endedAt === null ? [] : [endedAt + READING_MS]));
  return ends.length === 0 ? null : Math.min(...ends);
}

function same(a: readonly Row[], b: readonly Row[]): boolean {
  return a.length === b.length && a.every((row, at) => row === b[at]);
}
