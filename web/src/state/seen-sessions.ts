/**
 * Which sessions have moved on since this device last looked: unread is the device's, not the server's. What
 * existed before the device first saw the workspace counts as read. Pure.
 */
import type { SessionSummary } from '@tscodex/shared/workspace';

/** The last activity seen, by session id. */
export type Seen = Readonly<Record<string, string>>;

/**
 * What has been seen once `sessions` were listed with `looking` open. Sessions that are gone are dropped.
 * Returns `seen` itself when nothing changes.
 */
export function look(seen: Seen | null, sessions: readonly SessionSummary[], looking: string | null): Seen {
  const next: Record<string, string> = {};
  for (const { id, lastActivityAt } of sessions) {
    const before = seen?.[id];
    if (seen === null || id === looking) next[id] = lastActivityAt;
    else if (before !== undefined) next[id] = before;
  }
  return seen !== null && same(seen, next) ? seen : next;
}

export function isUnread(seen: Seen, session: SessionSummary): boolean {
  return (seen[session.id] ?? '') < session.lastActivityAt;
}

function same(a: Seen, b: Seen): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}
