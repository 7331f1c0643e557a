import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import type { CSSProperties } from 'react';
import { CatalogDialog } from '../catalog/catalog-dialog.tsx';
import { t } from '../messages/messages.ts';
import { useLooking } from '../people/use-looking.ts';
import { LeftNote } from '../sessions/left-note.tsx';
import { OpeningContext } from '../state/opening.ts';
import { SuggestionContext } from '../state/suggestion.ts';
import { useRootAttribute } from '../ui/use-root-attribute.ts';
import { useTitle } from '../ui/use-title.ts';
import { BoardSide } from './board-side.tsx';
import { NotFoundPage } from './not-found-page.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { SessionMain } from './session-main.tsx';
import { SidePane } from './side-pane.tsx';
import { useSessionOpening } from './use-session-opening.ts';
import { useWorkspace } from './use-workspace.ts';
import { useWorkspacePage } from './use-workspace-page.ts';
import styles from './workspace-page.module.css';

/** A workspace at work: its sessions, one of them open, and the board beside it. */
export function WorkspacePage({ workspaceId }: { workspaceId: string }) {
  const workspace = useWorkspace(workspaceId);
  if (workspace === null) return <NotFoundPage text={t('pages.noWorkspace', { id: workspaceId })} />;
  return <Workspace workspaceId={workspaceId} workspace={workspace} />;
}

function Workspace(props: { workspaceId: string; workspace: WorkspaceSummary | undefined }) {
  const view = useWorkspacePage(props.workspaceId, props.workspace);
  const { workspace, chosen, pane, hasBoard } = view;
  const opening = useSessionOpening(view);
  useTitle(titleOf(workspace, chosen));
  useRootAttribute('data-pane', pane);
  useLooking(props.workspaceId, chosen);
  return (
    <OpeningContext value={opening}>
      <SuggestionContext value={view.suggestions}>
        <div
          className={styles.page}
          data-pane={pane}
          data-board={hasBoard}
          data-collapsed={view.layout.collapsed}
          style={{ '--board-share': `${view.layout.share}%` } as CSSProperties}
        >
          <SidePane view={view} />
          <SessionMain view={view} />
          {workspace && hasBoard && <BoardSide view={view} workspace={workspace} />}
          <PhoneBar
            pane={pane}
            hasBoard={hasBoard}
            asking={asksIn(workspace, chosen)}
            onPane={view.setPane}
          />
          {view.leaving.dialog}
          {view.catalog.isOpen && (
            <CatalogDialog
              workspaceId={props.workspaceId}
              onOpened={view.onBack}
              onLeft={view.onLeft}
              onBack={view.onBack}
              onClose={view.catalog.close}
            />
          )}
          {view.left && !view.catalog.isOpen && <LeftNote key={view.left.id} left={view.left} />}
        </div>
      </SuggestionContext>
    </OpeningContext>
  );
}

/** How many asks wait in the workspace, those of one session aside. */
function asksIn(workspace: WorkspaceSummary | undefined, except: string | null): number {
  const others = workspace?.sessions.filter(({ id }) => id !== except) ?? [];
  return others.reduce((sum, { asks }) => sum + asks.length, 0);
}

function titleOf(workspace: WorkspaceSummary | undefined, chosen: string | null): string {
  if (!workspace) return t('pages.product');
  const session = workspace.sessions.find(({ id }) => id === chosen);
  return session?.title
    ? t('pages.sessionTitle', { session: session.title, workspace: workspace.name })
    : t('pages.title', { page: workspace.name });
}
