import { t } from '../messages/messages.ts';
import styles from './skeleton.module.css';

/** Stands where text will be. It shows only when that takes longer than a blink. */
export function Skeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{t('ui.loading')}</span>
      <i />
      <i />
      <i />
    </div>
  );
}
