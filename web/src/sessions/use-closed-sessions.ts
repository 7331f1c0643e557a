import type { SessionList, SessionSummary } from '@tscodex/shared/workspace';
import { useEffect, useState } from 'react';
import { urlPath } from '../api/http.ts';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';

/** The sessions that can be opened again; null until they are known. */
export function useClosedSessions(workspace: string): {
  closed: readonly SessionSummary[] | null;
  problem: string | null;
} {
  const { api } = useServices();
  const [closed, setClosed] = useState<readonly SessionSummary[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    api.json<SessionList>('GET', urlPath('api', 'workspaces', workspace, 'sessions')).then(
      (list) => setClosed(list.closed),
      (error: Error) => setProblem(t('sessions.closedUnknown', { reason: error.message })),
    );
  }, [api, workspace]);
  return { closed, problem };
}
