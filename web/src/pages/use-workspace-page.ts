import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { inListOrder } from '../sessions/session-order.ts';
import { useCloseSession } from '../sessions/use-close-session.tsx';
import { useNewSession } from '../sessions/use-new-session.ts';
import { useAimStore } from '../state/aim.ts';
import type { Pane } from './phone-bar.tsx';
import { useOpenSessions } from './use-open-sessions.ts';
import { useChosenSession, useDeviceMemory, useModels, useSeen } from './use-workspace.ts';

export type WorkspaceView = ReturnType<typeof useWorkspacePage>;

/** What the parts of a workspace's page share: the sessions, the one that is open, and what can be done. */
export function useWorkspacePage(workspaceId: string, listed: WorkspaceSummary | undefined) {
  const [workspace, leaveOut] = useOpenSessions(listed);
  const memory = useDeviceMemory(workspaceId);
  const models = useModels(workspaceId);
  const [chosen, choose] = useChosenSession(workspace, memory);
  const seen = useSeen(workspace, chosen, memory);
  const [pane, setPane] = useState<Pane>('chat');
  const [created, setCreated] = useState<string | null>(null);
  const sessions = inListOrder(workspace?.sessions ?? []);

  const open = useCallback(
    (session: string) => {
      choose(session);
      setPane('chat');
    },
    [choose],
  );
  // somebody was sent here: to the conversation, whatever was on show
  const { aim } = useStore(useAimStore());
  useLayoutEffect(() => {
    if (aim) setPane('chat');
  }, [aim]);
  const openCreated = useCallback(
    (session: string) => {
      setCreated(session);
      open(session);
    },
    [open],
  );
  const creation = useNewSession(workspaceId, openCreated);
  // what is open by the time that a session is closed
  const now = useRef({ chosen, sessions });
  useLayoutEffect(() => {
    now.current = { chosen, sessions };
  });
  const closing = useCloseSession((closed) => {
    leaveOut(closed);
    if (closed !== now.current.chosen) return;
    choose(now.current.sessions.find(({ id }) => id !== closed)?.id ?? null, true);
  });

  return {
    workspaceId,
    /** undefined until it is known; the session in the address does not wait for it. */
    workspace,
    hasBoard: workspace?.board.enabled ?? true,
    models,
    sessions,
    chosen,
    seen,
    /** The session that was created here last. */
    created,
    pane,
    setPane,
    open,
    openCreated,
    creation,
    closing,
  };
}
