import type { Indexing } from '@tscodex/shared/catalog';
import { t } from '../messages/messages.ts';
import styles from './catalog-notes.module.css';

/** At the foot of the list: what went wrong, and what may be missing from it. */
export function CatalogNotes({ indexing, problem }: { indexing: Indexing | null; problem: string | null }) {
  return (
    <>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {indexing !== null && (
        <p className={styles.reading}>
          {t('catalog.reading', { done: indexing.done, total: indexing.total })}
        </p>
      )}
    </>
  );
}
