import { t } from '../messages/messages.ts';
import { timeOfDay } from '../ui/quantities.ts';
import styles from './asks.module.css';

/** Where an ask stands among those that wait, from 1. */
export type Place = { at: number; of: number };

/** What is asked, how many ask beside it, and until when it can be answered. */
export function AskHead(props: { title: string; place: Place; expiresAt: string | undefined }) {
  const { title, place, expiresAt } = props;
  return (
    <h2 className={styles.title}>
      <span>{title}</span>
      {place.of > 1 && <small>{t('asks.place', place)}</small>}
      {expiresAt && <time dateTime={expiresAt}>{t('asks.expires', { time: timeOfDay(expiresAt) })}</time>}
    </h2>
  );
}
