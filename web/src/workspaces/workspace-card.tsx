import type { Held } from '@tscodex/shared/permissions';
import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { t } from '../messages/messages.ts';
import { WorkspaceFaces } from '../people/workspace-faces.tsx';
import { brief, sentence } from '../permissions/confinement.ts';
import { Chip } from '../ui/chip.tsx';
import { StatusDot } from '../ui/status-dot.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { BoardThumbnail } from './board-thumbnail.tsx';
import { countSessions } from './counts.ts';
import styles from './workspace-card.module.css';

/** A workspace that works: its board, what goes on in it, and the way in. `children`: what else can be done. */
export function WorkspaceCard({ workspace, children }: { workspace: WorkspaceSummary; children: ReactNode }) {
  const { id, name, dir } = workspace;
  return (
    <>
      <BoardThumbnail workspace={workspace} />
      <WorkspaceFaces workspaceId={id} />
      <div className={styles.body}>
        <div className={styles.head}>
          <h3 className={styles.name} title={name}>
            <Link href={`/w/${encodeURIComponent(id)}/`}>{name}</Link>
          </h3>
          {children}
        </div>
        <code className={styles.dir} title={dir}>
          {dir}
        </code>
        <Activity workspace={workspace} />
      </div>
    </>
  );
}

function Activity({ workspace }: { workspace: WorkspaceSummary }) {
  const { sessions, running, waiting, lastActivityAt } = countSessions(workspace.sessions);
  return (
    <p className={styles.activity}>
      {waiting > 0 && (
        <span className={styles.waiting}>
          <StatusDot tone="asking" /> {t('workspaces.waiting', { count: waiting })}
        </span>
      )}
      {running > 0 && (
        <span>
          <StatusDot tone="running" /> {t('workspaces.running', { count: running })}
        </span>
      )}
      <span>
        {sessions === 0 ? t('workspaces.noSessions') : t('workspaces.sessions', { count: sessions })}
      </span>
      {lastActivityAt !== null && <TimeAgo at={lastActivityAt} />}
      {workspace.newSessions && <Hold held={workspace.newSessions} />}
    </p>
  );
}

/** How a new session's commands will be held. */
function Hold({ held }: { held: Held }) {
  const { words, tone } = brief(held);
  return (
    <span className={styles.hold} title={sentence(held)}>
      <span className="visually-hidden">{t('permissions.newSessions', { state: words })}</span>
      <span aria-hidden="true">
        <Chip tone={tone}>{words}</Chip>
      </span>
    </span>
  );
}
