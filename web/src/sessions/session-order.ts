/** The order of the list and what is opened by itself. Pure. */
import type { SessionSummary } from '@tscodex/shared/workspace';

/** Newest first, by when they were made: a line keeps its place while sessions work. */
export function inListOrder(sessions: readonly SessionSummary[]): SessionSummary[] {
  return sessions.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

/** Without a session in the address: the one this device had open last, else the one that moved last. */
export function sessionToOpen(sessions: readonly SessionSummary[], last: string | null): string | null {
  if (sessions.some(({ id }) => id === last)) return last;
  const byActivity = sessions.toSorted((a, b) => (a.lastActivityAt < b.lastActivityAt ? 1 : -1));
  return byActivity[0]?.id ?? null;
}

/** Which line the focus goes to by a key in a vertical tab list (WAI-ARIA); null for keys that do not move it. */
export function lineByKey(key: string, at: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
