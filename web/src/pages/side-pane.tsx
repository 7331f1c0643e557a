import type { ModelChoice, SessionSummary, WorkspaceSummary } from '@tscodex/shared/workspace';
import { ChevronLeft } from 'lucide-react';
import { Link } from 'wouter';
import { t } from '../messages/messages.ts';
import { NewSessionButton } from '../sessions/new-session-button.tsx';
import { SessionList } from '../sessions/session-list.tsx';
import type { Seen } from '../state/seen-sessions.ts';
import { LogOutButton } from './log-out-button.tsx';
import styles from './side-pane.module.css';

/** The left of a workspace: where one is, a new session, and those there are. */
export function SidePane({
  workspaceId,
  workspace,
  creation,
  models,
  problem,
  ...list
}: {
  workspaceId: string;
  workspace: WorkspaceSummary | undefined;
  creation: { create: (model?: string) => void; creating: boolean };
  models: readonly ModelChoice[];
  /** What went wrong with creating or closing one. */
  problem: string | null;
  sessions: readonly SessionSummary[];
  chosen: string | null;
  seen: Seen;
  onChoose: (session: string) => void;
  onClose: (session: SessionSummary) => void;
}) {
  return (
    <nav className={styles.pane} aria-label={t('pages.workspace')}>
      <div className={styles.head}>
        <strong>{workspace?.name ?? workspaceId}</strong>
        <code title={workspace?.dir}>{workspace?.dir}</code>
      </div>
      <NewSessionButton
        models={models}
        disabled={creation.creating || workspace?.problem !== undefined}
        onCreate={creation.create}
      />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <SessionList {...list} />
      <div className={styles.foot}>
        <Link href="/">
          <ChevronLeft size={15} aria-hidden="true" />
          {t('pages.toWorkspaces')}
        </Link>
        <LogOutButton />
      </div>
    </nav>
  );
}
