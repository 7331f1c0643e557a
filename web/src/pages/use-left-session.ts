import type { SessionSummary } from '@tscodex/shared/workspace';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { useLeaveSession } from '../sessions/use-leave-session.tsx';
import { bringBack, type Leaving } from '../state/catalog-actions.ts';
import { useServices } from '../state/services.ts';
import { useAction } from '../ui/use-action.ts';

type Titled = { id: string; title: string | null };
/** `tabIn`: the workspace that it had a tab in. */
type Left = Titled & { how: Leaving; tabIn: string | null };

type Page = {
  workspaceId: string;
  sessions: readonly SessionSummary[];
  chosen: string | null;
  choose: (session: string | null, replace: boolean) => void;
  leaveOut: (session: string) => void;
  putBack: (session: string) => void;
  open: (session: string) => void;
};

/** Sessions that leave the list, by what is done here or in the list of all; the last one can be taken back. */
export function useLeftSession(page: Page) {
  const { workspaceId, choose, leaveOut, putBack, open } = page;
  const { api } = useServices();
  // what is on show by the time that a session is closed
  const now = useRef(page);
  useLayoutEffect(() => {
    now.current = page;
  });
  const [left, setLeft] = useState<Left | null>(null);
  const onLeft = useCallback(
    ({ id, title }: Titled, how: Leaving, tabIn: string | null) => {
      if (tabIn === workspaceId) leaveOut(id);
      setLeft({ id, title, how, tabIn });
      if (id !== now.current.chosen) return;
      choose(now.current.sessions.find((session) => session.id !== id)?.id ?? null, true);
    },
    [workspaceId, leaveOut, choose],
  );
  const leaving = useLeaveSession((session, how) => onLeft(session, how, workspaceId));
  const onBack = useCallback(
    (session: string) => {
      putBack(session);
      setLeft((before) => (before?.id === session ? null : before));
    },
    [putBack],
  );
  const undoing = useAction();
  const undo = async ({ id, how, tabIn }: Left) => {
    if (!(await undoing.run(() => bringBack(api, id, how, tabIn)))) return;
    onBack(id);
    if (tabIn === workspaceId) open(id);
  };
  return {
    leaving,
    left: left && {
      ...left,
      problem: undoing.problem && t('sessions.notReopened', { reason: undoing.problem }),
      undo: () => void undo(left),
      forget: () => setLeft(null),
    },
    onLeft,
    onBack,
  };
}
