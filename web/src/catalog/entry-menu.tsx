import type { CatalogEntry } from '@tscodex/shared/catalog';
import { t } from '../messages/messages.ts';
import { downloadExport } from '../sessions/download-export.ts';
import { MoreMenu } from '../ui/more-menu.tsx';
import { nameOf } from './entry-words.ts';
import type { useChanges } from './use-changes.ts';

/** What can be done with a session of the list; some of it only where it is open. */
export function EntryMenu(props: {
  session: CatalogEntry;
  /** Whether Tab leads to it. */
  reachable: boolean;
  changes: ReturnType<typeof useChanges>;
  onFork: (session: CatalogEntry) => void;
}) {
  const { session, changes } = props;
  const whereOpen = (run: () => void) => (session.open ? run : null);
  const save = (format: 'markdown' | 'json') => whereOpen(() => downloadExport(session.id, format));
  return (
    <MoreMenu
      label={t('catalog.actions', { title: nameOf(session) })}
      tabIndex={props.reachable ? 0 : -1}
      choices={[
        { id: 'fork', label: t('sessions.fork'), run: whereOpen(() => props.onFork(session)) },
        { id: 'markdown', label: t('sessions.exportMarkdown'), run: save('markdown') },
        { id: 'json', label: t('sessions.exportJson'), run: save('json') },
        session.archived
          ? {
              id: 'unarchive',
              label: t('catalog.unarchive'),
              run: () => void changes.unarchive(session),
            }
          : { id: 'archive', label: t('sessions.archive'), run: () => changes.archive(session) },
        { id: 'delete', label: t('sessions.delete'), run: () => changes.remove(session) },
      ]}
    />
  );
}
