import { ChevronLeft, History } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { InboxButton } from '../inbox/inbox-button.tsx';
import { t } from '../messages/messages.ts';
import { BellButton } from '../notifications/bell-button.tsx';
import { YouButton } from '../people/you-button.tsx';
import { RulesButton } from '../rules/rules-button.tsx';
import { ClosedSessionsDialog } from '../sessions/closed-sessions-dialog.tsx';
import { NewSessionButton } from '../sessions/new-session-button.tsx';
import { SessionList } from '../sessions/session-list.tsx';
import { LogOutButton } from './log-out-button.tsx';
import styles from './side-pane.module.css';
import type { WorkspaceView } from './use-workspace-page.ts';

/** The left of a workspace: where one is, a new session, and those there are. */
export function SidePane({ view }: { view: WorkspaceView }) {
  const { workspace, creation, closing, renaming, moving } = view;
  const [choosingClosed, setChoosingClosed] = useState(false);
  const problem = creation.problem ?? closing.problem ?? renaming.problem ?? moving.problem;
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
        workspaceId={view.workspaceId}
        dir={workspace?.dir ?? ''}
        models={view.models}
        disabled={workspace?.problem !== undefined}
        creation={creation}
        onCreated={view.openCreated}
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
        titleOf={renaming.titleOf}
        onChoose={view.open}
        onClose={closing.close}
        onRename={renaming.rename}
        onMove={moving.move}
      />
      <button type="button" className={styles.closed} onClick={() => setChoosingClosed(true)}>
        <History size={14} aria-hidden="true" />
        {t('sessions.closed')}
      </button>
      {choosingClosed && (
        <ClosedSessionsDialog
          workspaceId={view.workspaceId}
          onOpened={(session) => {
            setChoosingClosed(false);
            view.openAgain(session);
          }}
          onClose={() => setChoosingClosed(false)}
        />
      )}
      <div className={styles.foot}>
        <Link href="/">
          <ChevronLeft size={15} aria-hidden="true" />
          {t('pages.toWorkspaces')}
        </Link>
        <span className={styles.tools} data-opens="up">
          <BellButton />
          <YouButton>
            <RulesButton />
            <LogOutButton />
          </YouButton>
        </span>
      </div>
    </nav>
  );
}
