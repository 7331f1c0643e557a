import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { path } from '../api/http.ts';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './board-pane.module.css';

/** The board, shown anew whenever its file changes. It is the agent's page: it can run scripts and reach nothing. */
export function BoardPane({ workspace, children }: { workspace: WorkspaceSummary; children?: ReactNode }) {
  const { api } = useServices();
  const [reloads, setReloads] = useState(0);
  const { board, id } = workspace;
  return (
    <section className={styles.pane} aria-label={t('board.title')}>
      <header className={styles.bar}>
        <h2>{t('board.title')}</h2>
        <code title={board.path}>{board.path}</code>
        {children}
        <IconButton label={t('board.reload')} onClick={() => setReloads(reloads + 1)}>
          <RotateCw size={15} aria-hidden="true" />
        </IconButton>
      </header>
      <div className={styles.desk}>
        {board.version === null ? (
          <Notice title={t('board.empty')} text={t('board.emptyText')} />
        ) : (
          // a new element each time: a new address in the old one would be a step in the browser's history
          <iframe
            key={`${board.version} ${reloads}`}
            className={styles.page}
            title={t('board.title')}
            sandbox="allow-scripts"
            src={new URL(`${path('w', id, 'board')}/`, api.base).href}
          />
        )}
      </div>
    </section>
  );
}
