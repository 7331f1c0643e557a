import { t } from '../messages/messages.ts';
import { timeOfDay } from '../ui/quantities.ts';
import styles from './asks.module.css';

/** What is asked, and until when it can be answered. */
export function AskHead({ title, expiresAt }: { title: string; expiresAt: string | undefined }) {
  return (
    <h4 className={styles.title}>
      {title}
      {expiresAt && <time dateTime={expiresAt}>{t('asks.expires', { time: timeOfDay(expiresAt) })}</time>}
    </h4>
  );
}
