import type { SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { useBoardLayout } from '../board/use-board-layout.ts';
import { useCloseSession } from '../sessions/use-close-session.tsx';
import { useMoveSession } from '../sessions/use-move-session.ts';
import { useNewSession } from '../sessions/use-new-session.ts';
import { useRenameSession } from '../sessions/use-rename-session.ts';
import { useReopenSession } from '../sessions/use-reopen-session.ts';
import { useAimStore } from '../state/aim.ts';
import { suggestionStore } from '../state/suggestion.ts';
import type { Pane } from './phone-bar.tsx';
import { useOpenSessions } from './use-open-sessions.ts';
import { useChosenSession, useDeviceMemory, useModels, useSeen } from './use-workspace.ts';

type Closed = { id: string; title: string | null };
const NONE: readonly SessionSummary[] = [];

export type WorkspaceView = ReturnType<typeof useWorkspacePage>;

/** What the parts of a workspace's page share: the sessions, the one that is open, and what can be done. */
export function useWorkspacePage(workspaceId: string, listed: WorkspaceSummary | undefined) {
  const { workspace, leaveOut, putBack } = useOpenSessions(listed);
  const memory = useDeviceMemory(workspaceId);
  const models = useModels(workspaceId);
  const [chosen, choose] = useChosenSession(workspace, memory);
  const seen = useSeen(workspace, chosen, memory);
  const [pane, setPane] = useState<Pane>('chat');
  const layout = useBoardLayout(memory);
  const [suggestions] = useState(suggestionStore);
  const [created, setCreated] = useState<string | null>(null);
  const moving = useMoveSession(workspace?.sessions ?? NONE);
  const { sessions } = moving;
  const renaming = useRenameSession();

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
  const [justClosed, setJustClosed] = useState<Closed | null>(null);
  const closing = useCloseSession(({ id: closed, title }) => {
    leaveOut(closed);
    setJustClosed({ id: closed, title });
    if (closed !== now.current.chosen) return;
    choose(now.current.sessions.find(({ id }) => id !== closed)?.id ?? null, true);
  });
  const openAgain = useCallback(
    (session: string) => {
      putBack(session);
      setJustClosed(null);
      open(session);
    },
    [putBack, open],
  );
  const reopening = useReopenSession(workspaceId, openAgain);

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
    layout,
    suggestions,
    /** Puts a message into the composer and goes there. */
    ask: (message: string) => {
      setPane('chat');
      suggestions.setState({ text: message });
    },
    showBoard: () => {
      setPane('board');
      layout.collapse(false);
    },
    open,
    openCreated,
    creation,
    closing,
    renaming,
    moving,
    /** A closed session that is open again. */
    openAgain,
    reopening,
    justClosed,
    forgetClosed: useCallback(() => setJustClosed(null), []),
  };
}
