import { X } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { t } from '../messages/messages.ts';
import type { Leaving } from '../state/catalog-actions.ts';
import { IconButton } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useModal } from '../ui/use-modal.ts';
import styles from './catalog-dialog.module.css';
import { keepCatalog } from './kept-catalog.ts';

export type CatalogProps = {
  /** Where one is; null: in no workspace. */
  workspaceId: string | null;
  /** A session is about to be on show. */
  onOpened: (session: string) => void;
  /** A session has been archived or deleted, and with it its tab, if it had one in a workspace. */
  onLeft: (session: { id: string; title: string | null }, how: Leaving, tabIn: string | null) => void;
  /** It is there again. */
  onBack: (session: string) => void;
  onClose: () => void;
};

/** The window comes at once and has the keys; what is in it is fetched when it is first opened. */
const AllSessions = lazy(() =>
  import('./all-sessions.tsx').then(
    (module) => ({ default: module.AllSessions }),
    () => ({ default: NotFetched }),
  ),
);

/** Every session there is, of all workspaces, ours and Codex's: found by title and by what was said. */
export function CatalogDialog(props: CatalogProps) {
  const modal = useModal(props.onClose);
  useEffect(() => () => keepCatalog(null), []);
  const close = () => {
    // at once: the page that one goes to looks whether it is open before it has gone here
    keepCatalog(null);
    modal.dialog.current?.close();
  };
  return (
    <dialog {...modal.props} className={styles.dialog} aria-label={t('catalog.title')} data-catalog>
      <div className={styles.inside}>
        <IconButton label={t('ui.close')} className={styles.close} onClick={close}>
          <X size={16} aria-hidden="true" />
        </IconButton>
        <Suspense fallback={<Skeleton />}>
          <AllSessions {...props} onClose={close} />
        </Suspense>
      </div>
    </dialog>
  );
}

function NotFetched() {
  return <Notice role="alert" text={t('ui.notFetched')} />;
}
