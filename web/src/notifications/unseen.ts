/** Whether there is anything to look at in any workspace, beside what waits for a person. Pure. */
import type { SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import { isUnread, type Seen } from '../state/seen-sessions.ts';

/** `seenOf`: what this device has seen of a workspace; null for one that it has never opened. */
export function hasUnseen(
  workspaces: readonly WorkspaceSummary[],
  seenOf: (workspace: string) => Seen | null,
  except: readonly string[],
): boolean {
  return workspaces.some(({ id, sessions }) => {
    const seen = sessions.length > 0 ? seenOf(id) : null;
    return (
      seen !== null &&
      sessions.some((one) => isResting(one) && isUnread(seen, one) && !except.includes(one.id))
    );
  });
}

/** What still works will have more to show later. */
function isResting({ status, asks }: SessionSummary): boolean {
  return (status === 'idle' || status === 'sleeping') && asks.length === 0;
}
