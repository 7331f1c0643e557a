/** The order of the list and what is opened by itself. Pure. */
import type { SessionSummary } from '@tscodex/shared/workspace';

/**
 * The server's order, the last one on top: a new session comes where the eye is, and a line keeps its place while
 * sessions work. `moved`: the order that was asked for here and that the server does not tell yet.
 */
export function inListOrder(
  sessions: readonly SessionSummary[],
  moved: readonly string[] | null = null,
): SessionSummary[] {
  const listed = sessions.toReversed();
  if (moved === null) return listed;
  // one that is not among them is new
  return listed.toSorted((a, b) => moved.indexOf(a.id) - moved.indexOf(b.id));
}

/** The ids with one of them at another place. */
export function withMoved(ids: readonly string[], id: string, to: number): string[] {
  return ids.filter((one) => one !== id).toSpliced(to, 0, id);
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
