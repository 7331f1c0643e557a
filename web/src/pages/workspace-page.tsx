import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { MessageSquare, PanelRight } from 'lucide-react';
import { useCallback, useState } from 'react';
import { BoardPane } from '../board/board-pane.tsx';
import { t } from '../messages/messages.ts';
import { PANEL_ID, tabId } from '../sessions/session-list.tsx';
import { inListOrder } from '../sessions/session-order.ts';
import { SessionPane } from '../sessions/session-pane.tsx';
import { useCloseSession } from '../sessions/use-close-session.tsx';
import { useNewSession } from '../sessions/use-new-session.ts';
import { IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { useMedia } from '../ui/use-media.ts';
import { useTitle } from '../ui/use-title.ts';
import { ConnectionBar } from './connection-bar.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { type Pane, PhoneBar } from './phone-bar.tsx';
import { SidePane } from './side-pane.tsx';
import { useChosenSession, useDeviceMemory, useModels, useSeen, useWorkspace } from './use-workspace.ts';
import styles from './workspace-page.module.css';

/** A workspace at work: its sessions, one of them open, and the board beside it. */
export function WorkspacePage({ workspaceId }: { workspaceId: string }) {
  const workspace = useWorkspace(workspaceId);
  if (workspace === null) return <NotFoundPage text={t('pages.noWorkspace', { id: workspaceId })} />;
  return <Workspace workspaceId={workspaceId} workspace={workspace} />;
}

type Props = {
  workspaceId: string;
  /** undefined until it is known; the session in the address does not wait for it. */
  workspace: WorkspaceSummary | undefined;
};

function Workspace({ workspaceId, workspace }: Props) {
  const memory = useDeviceMemory(workspaceId);
  const models = useModels(workspaceId);
  const [chosen, choose] = useChosenSession(workspace, memory);
  const seen = useSeen(workspace, chosen, memory);
  const [pane, setPane] = useState<Pane>('chat');
  const sessions = inListOrder(workspace?.sessions ?? []);

  const open = useCallback(
    (session: string) => {
      choose(session);
      setPane('chat');
    },
    [choose],
  );
  const creation = useNewSession(workspaceId, open);
  const closing = useCloseSession((closed) => {
    if (closed !== chosen) return;
    choose(sessions.find(({ id }) => id !== closed)?.id ?? null, true);
  });

  useTitle(titleOf(workspace, chosen));
  const hasBoard = workspace?.board.enabled ?? true;
  const narrow = useMedia('(max-width: 1100px)');

  return (
    <div className={styles.page} data-pane={pane} data-board={hasBoard}>
      <SidePane
        workspaceId={workspaceId}
        workspace={workspace}
        sessions={sessions}
        chosen={chosen}
        seen={seen}
        models={models}
        creation={creation}
        problem={creation.problem ?? closing.problem}
        onChoose={open}
        onClose={closing.close}
      />
      <main className={styles.middle}>
        <ConnectionBar />
        {workspace?.problem !== undefined ? (
          <Notice title={t('workspaces.broken')} text={workspace.problem} />
        ) : (
          <div
            id={PANEL_ID}
            className={styles.panel}
            role="tabpanel"
            aria-labelledby={chosen === null ? undefined : tabId(chosen)}
          >
            <SessionPane
              workspaceId={workspaceId}
              dir={workspace?.dir ?? ''}
              sessionId={chosen}
              models={models}
              onCreated={open}
              onClose={closing.close}
            >
              {hasBoard && (
                <IconButton
                  label={t('sessions.showBoard')}
                  className={styles.swap}
                  onClick={() => setPane('board')}
                >
                  <PanelRight size={16} aria-hidden="true" />
                </IconButton>
              )}
            </SessionPane>
          </div>
        )}
      </main>
      {workspace && hasBoard && (
        <div className={styles.right}>
          {(!narrow || pane === 'board') && (
            <BoardPane workspace={workspace}>
              <IconButton label={t('pages.showChat')} className={styles.swap} onClick={() => setPane('chat')}>
                <MessageSquare size={16} aria-hidden="true" />
              </IconButton>
            </BoardPane>
          )}
        </div>
      )}
      <PhoneBar pane={pane} hasBoard={hasBoard} asking={asksIn(workspace, chosen)} onPane={setPane} />
      {closing.dialog}
    </div>
  );
}

/** How many asks wait in the sessions that are not open. */
function asksIn(workspace: WorkspaceSummary | undefined, except: string | null): number {
  const others = workspace?.sessions.filter(({ id }) => id !== except) ?? [];
  return others.reduce((sum, { asks }) => sum + asks, 0);
}

function titleOf(workspace: WorkspaceSummary | undefined, chosen: string | null): string {
  if (!workspace) return t('pages.product');
  const session = workspace.sessions.find(({ id }) => id === chosen);
  const title = session?.title
    ? t('pages.sessionTitle', { session: session.title, workspace: workspace.name })
    : t('pages.title', { page: workspace.name });
  const asks = asksIn(workspace, null);
  return asks > 0 ? t('pages.waitingTitle', { count: asks, title }) : title;
}
