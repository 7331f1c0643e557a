import { ChevronLeft, Search } from 'lucide-react';
import { Link } from 'wouter';
import { CATALOG_KEYS, catalogKey } from '../catalog/use-catalog-key.ts';
import { InboxButton } from '../inbox/inbox-button.tsx';
import { t } from '../messages/messages.ts';
import { BellButton } from '../notifications/bell-button.tsx';
import { YouButton } from '../people/you-button.tsx';
import { RulesButton } from '../rules/rules-button.tsx';
import { NewSessionButton } from '../sessions/new-session-button.tsx';
import { SessionList } from '../sessions/session-list.tsx';
import { LogOutButton } from './log-out-button.tsx';
import styles from './side-pane.module.css';
import type { WorkspaceView } from './use-workspace-page.ts';

/** The left of a workspace: where one is, a new session, and those there are. */
export function SidePane({ view }: { view: WorkspaceView }) {
  const { workspace, creation, leaving, renaming, moving } = view;
  const problem = creation.problem ?? leaving.problem ?? renaming.problem ?? moving.problem;
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
        onClose={(session) => leaving.leave(session, 'closed')}
        onRename={renaming.rename}
        onMove={moving.move}
      />
      <button
        type="button"
        className={styles.all}
        aria-haspopup="dialog"
        aria-keyshortcuts={CATALOG_KEYS}
        onClick={view.catalog.open}
      >
        <Search size={14} aria-hidden="true" />
        {t('catalog.title')}
        <span className={styles.key} aria-hidden="true">
          {catalogKey()}
        </span>
      </button>
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
