import type { SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import { useCallback, useMemo, useState } from 'react';

/**
 * The workspace without the sessions that were closed here: the server says that one is closed before its next
 * overview leaves it out. `leaveOut` adds one to them, `putBack` takes one that was opened again from them.
 */
export function useOpenSessions(workspace: WorkspaceSummary | undefined): {
  workspace: WorkspaceSummary | undefined;
  leaveOut: (session: string) => void;
  putBack: (session: string) => void;
} {
  const [closed, setClosed] = useState<readonly string[]>([]);
  const still = closed.filter((id) => workspace?.sessions.some((session) => session.id === id));
  // left out by the overview: should it be listed again, then somebody has opened it again
  if (still.length < closed.length) setClosed(still);
  const open = useMemo(() => workspace && without(workspace, closed), [workspace, closed]);
  return {
    workspace: open,
    leaveOut: useCallback((session) => setClosed((before) => [...before, session]), []),
    putBack: useCallback((session) => setClosed((before) => before.filter((id) => id !== session)), []),
  };
}

function without(workspace: WorkspaceSummary, closed: readonly string[]): WorkspaceSummary {
  if (closed.length === 0) return workspace;
  const isOpen = ({ id }: SessionSummary) => !closed.includes(id);
  return { ...workspace, sessions: workspace.sessions.filter(isOpen) };
}
