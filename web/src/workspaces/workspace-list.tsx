import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { Link } from 'wouter';
import { t } from '../messages/messages.ts';
import { StatusDot } from '../ui/status-dot.tsx';
import { countSessions } from './counts.ts';
import styles from './workspace-list.module.css';

/** Every workspace with its live state; one that cannot be used says why. */
export function WorkspaceList({ workspaces }: { workspaces: readonly WorkspaceSummary[] }) {
  return (
    <ul className={styles.list}>
      {workspaces.map((workspace) => (
        <li key={workspace.id} className={styles.row}>
          <div className={styles.what}>
            {workspace.problem === undefined ? (
              <Link href={`/w/${encodeURIComponent(workspace.id)}/`} className={styles.name}>
                {workspace.name}
              </Link>
            ) : (
              <span className={styles.name}>{workspace.name}</span>
            )}
            <code title={workspace.dir}>{workspace.dir}</code>
          </div>
          {workspace.problem === undefined ? (
            <State workspace={workspace} />
          ) : (
            <p className={styles.problem}>
              <strong>{t('workspaces.broken')}</strong> {workspace.problem}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

function State({ workspace }: { workspace: WorkspaceSummary }) {
  const { sessions, running, asking } = countSessions(workspace.sessions);
  return (
    <p className={styles.state}>
      {asking > 0 && (
        <span className={styles.asking}>
          <StatusDot tone="asking" /> {t('workspaces.asking', { count: asking })}
        </span>
      )}
      {running > 0 && (
        <span>
          <StatusDot tone="running" /> {t('workspaces.running', { count: running })}
        </span>
      )}
      <span>{t('workspaces.sessions', { count: sessions })}</span>
    </p>
  );
}
