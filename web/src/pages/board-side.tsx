import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { MessageSquare, PanelRightClose } from 'lucide-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { BoardPane } from '../board/board-pane.tsx';
import { Splitter } from '../board/splitter.tsx';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { useMedia } from '../ui/use-media.ts';
import { SHOW_BOARD_ID } from './session-main.tsx';
import type { WorkspaceView } from './use-workspace-page.ts';
import styles from './workspace-page.module.css';

const BOARD_ID = 'board';

/** The right of a workspace. Where there is no room for it, it is not even loaded until it is asked for. */
export function BoardSide({ view, workspace }: { view: WorkspaceView; workspace: WorkspaceSummary }) {
  const narrow = useMedia('(max-width: 1100px)');
  const side = useRef<HTMLDivElement>(null);
  const { layout, pane } = view;
  const hide = () => {
    // the button that shows it again is on show only without it
    flushSync(() => layout.collapse(true));
    document.getElementById(SHOW_BOARD_ID)?.focus();
  };
  if (layout.collapsed && !narrow) return null;
  const edge = (
    <Splitter
      share={layout.share}
      controls={BOARD_ID}
      onDrag={(share) => side.current?.parentElement?.style.setProperty('--board-share', `${share}%`)}
      onResize={layout.resize}
      onCollapse={hide}
    />
  );
  return (
    <div ref={side} className={styles.right}>
      {(!narrow || pane === 'board') && (
        <BoardPane id={BOARD_ID} workspace={workspace} onAsk={view.ask} edge={edge}>
          <IconButton
            label={t('pages.showChat')}
            className={styles.swap}
            onClick={() => view.setPane('chat')}
          >
            <MessageSquare size={16} aria-hidden="true" />
          </IconButton>
          <IconButton label={t('board.hide')} className={styles.hide} onClick={hide}>
            <PanelRightClose size={16} aria-hidden="true" />
          </IconButton>
        </BoardPane>
      )}
    </div>
  );
}
