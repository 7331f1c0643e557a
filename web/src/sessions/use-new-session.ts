import type { NewSession } from '@tscodex/shared/workspace';
import { useCallback, useState } from 'react';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { createSession } from '../state/session-actions.ts';

/** Creating a session, one at a time. */
export function useNewSession(workspace: string, onCreated: (session: string) => void) {
  const { api } = useServices();
  const [creating, setCreating] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const create = useCallback(
    async (options: NewSession = {}) => {
      setCreating(true);
      setProblem(null);
      try {
        const session = await createSession(api, workspace, options);
        onCreated(session.id);
      } catch (error) {
        setProblem(t('sessions.notCreated', { reason: (error as Error).message }));
      } finally {
        setCreating(false);
      }
    },
    [api, workspace, onCreated],
  );

  return { create, creating, problem };
}
