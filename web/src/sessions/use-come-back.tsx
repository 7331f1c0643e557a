import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionView } from '../state/session-store.ts';
import { Button } from '../ui/button.tsx';
import { useReopenSession } from './use-reopen-session.ts';

/** What the server says of a session that is not open. */
const CLOSED = ['session.ended', 'session.unknown'];

/**
 * Why a session cannot be followed, and the button that helps: one that is closed is opened again, any other asked
 * for again. null where nothing is wrong.
 */
export function useComeBack(
  workspaceId: string,
  sessionId: string | null,
  { problem, retry }: Pick<SessionView, 'problem'> & { retry: () => void },
): { why: string; button: ReactNode } | null {
  const reopening = useReopenSession(workspaceId, retry);
  if (!problem || sessionId === null) return null;
  const isClosed = CLOSED.includes(problem.code);
  const button = (
    <Button disabled={reopening.busy} onClick={() => (isClosed ? void reopening.reopen(sessionId) : retry())}>
      {t(isClosed ? 'sessions.reopen' : 'ui.tryAgain')}
    </Button>
  );
  return { why: reopening.problem ?? problem.message, button };
}
