import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { ExternalLink, RotateCw } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { urlPath } from '../api/http.ts';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { IconButton } from '../ui/button.tsx';
import { BoardFrame } from './board-frame.tsx';
import styles from './board-pane.module.css';
import { NoBoard } from './no-board.tsx';

/** The board, shown anew whenever its file changes. `children`: buttons of the page around it; `edge`: what moves its edge. */
export function BoardPane(props: {
  id: string;
  workspace: WorkspaceSummary;
  /** Puts a message into the composer. */
  onAsk: (message: string) => void;
  edge: ReactNode;
  children?: ReactNode;
}) {
  const { api } = useServices();
  const [reloads, setReloads] = useState(0);
  const { board, id } = props.workspace;
  const address = new URL(`${urlPath('w', id, 'board')}/`, api.base).href;
  return (
    <section id={props.id} className={styles.pane} aria-label={t('board.title')}>
      {props.edge}
      <header className={styles.bar}>
        <h2>{t('board.title')}</h2>
        <code title={board.path}>{inItsFolder(board.path)}</code>
        {board.version !== null && (
          <>
            <a
              className={styles.link}
              href={address}
              target="_blank"
              rel="noopener"
              aria-label={t('board.popOut')}
              title={t('board.popOut')}
            >
              <ExternalLink size={15} aria-hidden="true" />
            </a>
            <IconButton label={t('board.reload')} onClick={() => setReloads(reloads + 1)}>
              <RotateCw size={15} aria-hidden="true" />
            </IconButton>
          </>
        )}
        {props.children}
      </header>
      <div className={styles.desk}>
        {board.version === null ? (
          <NoBoard onAsk={props.onAsk} />
        ) : (
          <BoardFrame src={address} version={`${board.version} ${reloads}`} />
        )}
      </div>
    </section>
  );
}

/** A file as one tells it apart by: its name and its folder's. */
function inItsFolder(path: string): string {
  return path.split('/').slice(-2).join('/');
}
