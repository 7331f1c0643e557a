import { ChevronLeft } from 'lucide-react';
import { Link } from 'wouter';
import { InboxButton } from '../inbox/inbox-button.tsx';
import { t } from '../messages/messages.ts';
import { YouButton } from '../people/you-button.tsx';
import { NewSessionButton } from '../sessions/new-session-button.tsx';
import { SessionList } from '../sessions/session-list.tsx';
import { LogOutButton } from './log-out-button.tsx';
import styles from './side-pane.module.css';
import type { WorkspaceView } from './use-workspace-page.ts';

/** The left of a workspace: where one is, a new session, and those there are. */
export function SidePane({ view }: { view: WorkspaceView }) {
  const { workspace, creation, closing } = view;
  const problem = creation.problem ?? closing.problem;
  return (
    <nav className={styles.pane} aria-label={t('pages.workspace')}>
      <div className={styles.head}>
        <div className={styles.place}>
          <strong>{workspace?.name ?? view.workspaceId}</strong>
          <code title={workspace?.dir}>{workspace?.dir}</code>
        </div>
        <span className={styles.inbox}>
          <InboxButton />
        </span>
      </div>
      <NewSessionButton
        models={view.models}
        disabled={creation.creating || workspace?.problem !== undefined}
        onCreate={creation.create}
      />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <SessionList
        sessions={view.sessions}
        chosen={view.chosen}
        seen={view.seen}
        onChoose={view.open}
        onClose={closing.close}
      />
      <div className={styles.foot}>
        <Link href="/">
          <ChevronLeft size={15} aria-hidden="true" />
          {t('pages.toWorkspaces')}
        </Link>
        <span className={styles.tools} data-opens="up">
          <YouButton>
            <LogOutButton />
          </YouButton>
        </span>
      </div>
    </nav>
  );
}
