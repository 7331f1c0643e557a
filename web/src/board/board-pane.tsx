import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { urlPath } from '../api/http.ts';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { BoardFrame } from './board-frame.tsx';
import styles from './board-pane.module.css';

/** The board, shown anew whenever its file changes. */
export function BoardPane({ workspace, children }: { workspace: WorkspaceSummary; children?: ReactNode }) {
  const { api } = useServices();
  const [reloads, setReloads] = useState(0);
  const { board, id } = workspace;
  return (
    <section className={styles.pane} aria-label={t('board.title')}>
      <header className={styles.bar}>
        <h2>{t('board.title')}</h2>
        <code title={board.path}>{inItsFolder(board.path)}</code>
        {children}
        <IconButton label={t('board.reload')} onClick={() => setReloads(reloads + 1)}>
          <RotateCw size={15} aria-hidden="true" />
        </IconButton>
      </header>
      <div className={styles.desk}>
        {board.version === null ? (
          <Notice title={t('board.empty')} text={t('board.emptyText')} />
        ) : (
          <BoardFrame
            src={new URL(`${urlPath('w', id, 'board')}/`, api.base).href}
            version={`${board.version} ${reloads}`}
          />
        )}
      </div>
    </section>
  );
}

/** A file as one tells it apart by: its name and its folder's. */
function inItsFolder(path: string): string {
  return path.split('/').slice(-2).join('/');
}
