import { Search } from 'lucide-react';
import { useStore } from 'zustand';
import { CatalogDialog } from '../catalog/catalog-dialog.tsx';
import { CATALOG_KEYS, useCatalogKey } from '../catalog/use-catalog-key.ts';
import { InboxButton } from '../inbox/inbox-button.tsx';
import { InboxSection } from '../inbox/inbox-section.tsx';
import { useHold } from '../inbox/use-hold.ts';
import { useRows } from '../inbox/use-rows.ts';
import { useWaiting } from '../inbox/use-waiting.ts';
import { t } from '../messages/messages.ts';
import { BellButton } from '../notifications/bell-button.tsx';
import { YouButton } from '../people/you-button.tsx';
import { RulesButton } from '../rules/rules-button.tsx';
import { useServices } from '../state/services.ts';
import { IconButton } from '../ui/button.tsx';
import { useSettling } from '../ui/use-settling.ts';
import { useTitle } from '../ui/use-title.ts';
import { ConfigNote } from '../workspaces/config-note.tsx';
import { Workspaces } from '../workspaces/workspaces.tsx';
import { WorkspacesSkeleton } from '../workspaces/workspaces-skeleton.tsx';
import { ConnectionBar } from './connection-bar.tsx';
import { LogOutButton } from './log-out-button.tsx';
import styles from './workspaces-page.module.css';

/** The start page: where somebody waits for you, and where the work is. */
export function WorkspacesPage() {
  const { overview } = useServices();
  const { workspaces, problem, config } = useStore(overview);
  const waiting = useWaiting();
  // under a hand nothing moves: neither what waits, nor the cards that it would push away
  const list = useHold();
  const cards = useHold();
  const rows = useRows(waiting, list.held ? 'on' : cards.held ? 'below' : 'away');
  const settling = useSettling(`${rows.length}`);
  const catalog = useCatalogKey();
  useTitle(t('pages.title', { page: t('workspaces.title') }));
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <h1>{t('pages.product')}</h1>
        <span className={styles.tools}>
          <IconButton
            label={t('catalog.title')}
            aria-haspopup="dialog"
            aria-keyshortcuts={CATALOG_KEYS}
            onClick={catalog.open}
          >
            <Search size={17} aria-hidden="true" />
          </IconButton>
          <InboxButton />
          <BellButton />
          <YouButton>
            <RulesButton />
            <LogOutButton />
          </YouButton>
        </span>
      </header>
      <ConnectionBar />
      <main>
        {rows.length > 0 && (
          <div {...list.handlers}>
            <InboxSection rows={rows} />
          </div>
        )}
        {config && <ConfigNote report={config} />}
        <div {...cards.handlers}>
          {workspaces ? <Workspaces {...{ workspaces, problem, settling }} /> : <WorkspacesSkeleton />}
        </div>
      </main>
      {catalog.isOpen && (
        <CatalogDialog
          workspaceId={null}
          onOpened={nothing}
          onLeft={nothing}
          onBack={nothing}
          onClose={catalog.close}
        />
      )}
    </div>
  );
}

/** No tabs are shown here that could come and go. */
const nothing = () => undefined;
