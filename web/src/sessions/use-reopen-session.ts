import { useCallback } from 'react';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { reopenSession } from '../state/session-actions.ts';
import { useAction } from '../ui/use-action.ts';

/** Opening a closed session again, one at a time. */
export function useReopenSession(workspace: string, onOpened: (session: string) => void) {
  const { api } = useServices();
  const { busy, problem, run } = useAction();
  const reopen = useCallback(
    async (session: string) => {
      if (await run(() => reopenSession(api, workspace, session))) onOpened(session);
    },
    [api, workspace, run, onOpened],
  );
  return { reopen, busy, problem: problem && t('sessions.notReopened', { reason: problem }) };
}
