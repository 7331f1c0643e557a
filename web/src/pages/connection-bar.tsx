import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import styles from './connection-bar.module.css';

/** After so many refusals in a row it is no passing trouble. */
const REFUSALS = 3;

/** Says that the live connection is gone, once that has lasted a moment. It lies over the page; nothing moves. */
export function ConnectionBar() {
  const { link } = useServices();
  const { connection, refused } = useStore(link);
  return (
    <div className={styles.bar} role="status" data-lost={connection === 'lost'}>
      {connection === 'lost' && <p>{refused >= REFUSALS ? t('api.refused') : t('pages.lost')}</p>}
    </div>
  );
}
