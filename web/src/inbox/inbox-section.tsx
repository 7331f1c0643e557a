import { t } from '../messages/messages.ts';
import { useAimStore } from '../state/aim.ts';
import { InboxList } from './inbox-list.tsx';
import styles from './inbox-section.module.css';
import type { Row } from './steady-list.ts';
import { askedBy, type Waiting } from './waiting.ts';

/** What waits, on the start page. */
export function InboxSection({ rows }: { rows: readonly Row[] }) {
  const aim = useAimStore();
  const open = (waiting: Waiting) =>
    aim.setState({ aim: { session: askedBy(waiting), ask: waiting.ask?.id ?? null } });
  return (
    <section className={styles.section} aria-label={t('inbox.section')}>
      <h2>{t('inbox.section')}</h2>
      <div className={styles.card}>
        <InboxList rows={rows} onOpen={open} />
      </div>
    </section>
  );
}
