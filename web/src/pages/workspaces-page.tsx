import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import { YouButton } from '../people/you-button.tsx';
import { useServices } from '../state/services.ts';
import { Notice } from '../ui/notice.tsx';
import { useTitle } from '../ui/use-title.ts';
import { WorkspaceList } from '../workspaces/workspace-list.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { LogOutButton } from './log-out-button.tsx';
import styles from './workspaces-page.module.css';

/** The start page: where the work is, and where somebody waits for you. */
export function WorkspacesPage() {
  const { overview } = useServices();
  const { workspaces } = useStore(overview);
  useTitle(t('pages.title', { page: t('workspaces.title') }));
  return (
    <main className={styles.page}>
      <header className={styles.header}>
        <h1>{t('workspaces.title')}</h1>
        <span className={styles.tools}>
          <YouButton>
            <LogOutButton />
          </YouButton>
        </span>
      </header>
      <ConnectionBar />
      {workspaces && workspaces.length > 0 && <WorkspaceList workspaces={workspaces} />}
      {workspaces?.length === 0 && <Notice title={t('workspaces.empty')} text={t('workspaces.emptyText')} />}
    </main>
  );
}
