import type { SessionStatus } from '@tscodex/shared/events';
import { type ReactNode, useState } from 'react';
import { t } from '../messages/messages.ts';
import { type Leaving, leaveSession } from '../state/catalog-actions.ts';
import { useServices } from '../state/services.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

export type Leavable = { id: string; title: string | null; status: SessionStatus };

const WORKS: readonly SessionStatus[] = ['running', 'asking', 'stopping', 'sleeping'];

/**
 * Closing a session, archiving and deleting it, after asking where that stops something: all else can be undone.
 * `dialog` is to be rendered.
 */
export function useLeaveSession<Session extends Leavable>(
  onLeft: (session: Session, how: Leaving) => void,
): {
  leave: (session: Session, how: Leaving) => void;
  dialog: ReactNode;
  /** Why the last one is still there. */
  problem: string | null;
} {
  const { api } = useServices();
  const [asking, setAsking] = useState<{ session: Session; how: Leaving } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  const leaveNow = (session: Session, how: Leaving) => {
    setAsking(null);
    setProblem(null);
    leaveSession(api, session.id, how).then(
      () => onLeft(session, how),
      (error: Error) => setProblem(t(`sessions.failed.${how}`, { reason: error.message })),
    );
  };

  return {
    leave: (session, how) => {
      if (WORKS.includes(session.status)) setAsking({ session, how });
      else leaveNow(session, how);
    },
    dialog: asking !== null && (
      <ConfirmDialog
        title={t(`sessions.confirmTitle.${asking.how}`)}
        text={t(asking.how === 'deleted' ? 'sessions.deleteText' : 'sessions.closeText')}
        confirm={t(`sessions.confirm.${asking.how}`)}
        onConfirm={() => leaveNow(asking.session, asking.how)}
        onCancel={() => setAsking(null)}
      />
    ),
    problem,
  };
}
