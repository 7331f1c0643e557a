import { PanelRight } from 'lucide-react';
import { Link } from 'wouter';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import { FacesButton } from '../people/faces-button.tsx';
import { PANEL_ID, tabId } from '../sessions/session-list.tsx';
import { SessionPane } from '../sessions/session-pane.tsx';
import { IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import type { WorkspaceView } from './use-workspace-page.ts';
import styles from './workspace-page.module.css';

/** The element id of the button that is there while the board is not. */
export const SHOW_BOARD_ID = 'show-board';

/** The middle of a workspace: the open session, or why there can be none. */
export function SessionMain({ view }: { view: WorkspaceView }) {
  const { workspace, chosen } = view;
  return (
    <main className={styles.middle}>
      <ConnectionBar />
      {workspace?.problem !== undefined ? (
        <Notice title={t('workspaces.broken')} text={serverSentence(workspace.problem)}>
          <Link href="/">{t('pages.toWorkspaces')}</Link>
        </Notice>
      ) : (
        <div
          id={PANEL_ID}
          className={styles.panel}
          role="tabpanel"
          aria-labelledby={chosen === null ? undefined : tabId(chosen)}
        >
          <SessionPane
            workspaceId={view.workspaceId}
            dir={workspace?.dir ?? ''}
            held={workspace?.newSessions ?? null}
            sessionId={chosen}
            created={view.created}
            models={view.models}
            onCreated={view.openCreated}
            titleOf={view.renaming.titleOf}
            onRename={view.renaming.rename}
            onLeave={view.leaving.leave}
            move={view.moving.movesOf(chosen)}
          >
            <FacesButton workspaceId={view.workspaceId} workspace={workspace} session={chosen} />
            {view.hasBoard && (
              <IconButton
                id={SHOW_BOARD_ID}
                label={t('pages.showBoard')}
                className={styles.swap}
                onClick={view.showBoard}
              >
                <PanelRight size={16} aria-hidden="true" />
              </IconButton>
            )}
          </SessionPane>
        </div>
      )}
    </main>
  );
}
