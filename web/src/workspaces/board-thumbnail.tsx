import type { WorkspaceSummary } from '@tscodex/shared/workspace';
import { LayoutDashboard } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { urlPath } from '../api/http.ts';
import { BoardFrame } from '../board/board-frame.tsx';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import styles from './board-thumbnail.module.css';

/**
 * The board at a quarter of its size: its own sandboxed page, only to be looked at. It is loaded while it is in view,
 * and without its scripts: those of many boards would all run at once, and each could take the focus.
 */
export function BoardThumbnail({ workspace }: { workspace: WorkspaceSummary }) {
  const { api } = useServices();
  const around = useRef<HTMLDivElement>(null);
  const inView = useInView(around);
  const { id, board } = workspace;
  const version = board.enabled ? board.version : null;
  return (
    <div
      ref={around}
      className={styles.thumbnail}
      data-board={version !== null || undefined}
      aria-hidden="true"
      inert
    >
      {version !== null ? (
        inView && (
          <div className={styles.page}>
            <BoardFrame
              src={new URL(`${urlPath('w', id, 'board')}/`, api.base).href}
              version={version}
              still
            />
          </div>
        )
      ) : (
        <p className={styles.none}>
          <LayoutDashboard size={18} />
          {t('workspaces.noBoard')}
        </p>
      )}
    </div>
  );
}

function useInView(element: { current: HTMLElement | null }): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver(
      (entries) => setInView(entries.at(-1)?.isIntersecting ?? false),
      {
        rootMargin: '160px',
      },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return inView;
}
