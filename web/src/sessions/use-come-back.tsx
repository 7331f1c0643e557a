import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { bringBack } from '../state/catalog-actions.ts';
import { useServices } from '../state/services.ts';
import type { SessionView } from '../state/session-store.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/use-action.ts';
import { useReopenSession } from './use-reopen-session.ts';

/** What the server says of a session that is not open. */
const CLOSED = ['session.ended', 'session.unknown'];

/**
 * Why a session cannot be followed, and the button that helps: one that is closed is opened again, one that was deleted
 * restored, any other asked for again. null where nothing is wrong.
 */
export function useComeBack(
  workspaceId: string,
  sessionId: string | null,
  { problem, retry }: Pick<SessionView, 'problem'> & { retry: () => void },
): { why: string; button: ReactNode } | null {
  const { api } = useServices();
  const reopening = useReopenSession(workspaceId, retry);
  const restoring = useAction();
  if (!problem || sessionId === null) return null;
  if (problem.code === 'session.deleted') {
    const restore = async () => {
      if (await restoring.run(() => bringBack(api, sessionId, 'deleted', workspaceId))) retry();
    };
    const button = (
      <Button disabled={restoring.busy} onClick={() => void restore()}>
        {t('sessions.restore')}
      </Button>
    );
    return { why: restoring.problem ?? problem.message, button };
  }
  const isClosed = CLOSED.includes(problem.code);
  const button = (
    <Button disabled={reopening.busy} onClick={() => (isClosed ? void reopening.reopen(sessionId) : retry())}>
      {t(isClosed ? 'sessions.reopen' : 'ui.tryAgain')}
    </Button>
  );
  return { why: reopening.problem ?? problem.message, button };
}
