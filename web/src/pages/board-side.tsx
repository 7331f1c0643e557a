import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { MessageSquare } from 'lucide-react';
import { BoardPane } from '../board/board-pane.tsx';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { useMedia } from '../ui/use-media.ts';
import type { Pane } from './phone-bar.tsx';
import styles from './workspace-page.module.css';

/** The right of a workspace. Where there is no room for it, it is not even loaded until it is asked for. */
export function BoardSide(props: { workspace: WorkspaceSummary; pane: Pane; onPane: (pane: Pane) => void }) {
  const narrow = useMedia('(max-width: 1100px)');
  return (
    <div className={styles.right}>
      {(!narrow || props.pane === 'board') && (
        <BoardPane workspace={props.workspace}>
          <IconButton
            label={t('pages.showChat')}
            className={styles.swap}
            onClick={() => props.onPane('chat')}
          >
            <MessageSquare size={16} aria-hidden="true" />
          </IconButton>
        </BoardPane>
      )}
    </div>
  );
}
