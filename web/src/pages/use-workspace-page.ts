import type { SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import { useCallback, useLayoutEffect, useState } from 'react';
import { useStore } from 'zustand';
import { useBoardLayout } from '../board/use-board-layout.ts';
import { useCatalogKey } from '../catalog/use-catalog-key.ts';
import { useMoveSession } from '../sessions/use-move-session.ts';
import { useNewSession } from '../sessions/use-new-session.ts';
import { useRenameSession } from '../sessions/use-rename-session.ts';
import { useAimStore } from '../state/aim.ts';
import { suggestionStore } from '../state/suggestion.ts';
import type { Pane } from './phone-bar.tsx';
import { useLeftSession } from './use-left-session.ts';
import { useOpenSessions } from './use-open-sessions.ts';
import { useChosenSession, useDeviceMemory, useModels, useSeen } from './use-workspace.ts';

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
  const leftSession = useLeftSession({ workspaceId, sessions, chosen, choose, leaveOut, putBack, open });

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
    ...leftSession,
    renaming,
    moving,
    catalog: useCatalogKey(),
  };
}
