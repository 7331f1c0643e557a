import type { SessionStatus } from '@tscodex/shared/events';
import { type ReactNode, useState } from 'react';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { closeSession } from '../state/session-actions.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

type Closable = { id: string; title: string | null; status: SessionStatus };

/** Closing a session, after asking where that stops something. `dialog` is to be rendered. */
export function useCloseSession(onClosed: (session: Closable) => void): {
  close: (session: Closable) => void;
  dialog: ReactNode;
  /** Why the last one was not closed. */
  problem: string | null;
} {
  const { api } = useServices();
  const [asking, setAsking] = useState<Closable | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const closeNow = (session: Closable) => {
    setAsking(null);
    setProblem(null);
    closeSession(api, session.id).then(
      () => onClosed(session),
      (error: Error) => setProblem(t('sessions.closeFailed', { reason: error.message })),
    );
  };

  return {
    close: (session) => {
      if (['running', 'asking', 'stopping', 'sleeping'].includes(session.status)) setAsking(session);
      else closeNow(session);
    },
    dialog: asking !== null && (
      <ConfirmDialog
        title={t('sessions.closeTitle')}
        text={t('sessions.closeText')}
        confirm={t('sessions.closeConfirm')}
        onConfirm={() => closeNow(asking)}
        onCancel={() => setAsking(null)}
      />
    ),
    problem,
  };
}
