import { t } from '../messages/messages.ts';
import cards from './workspace-grid.module.css';
import styles from './workspaces-skeleton.module.css';

const CARDS = [1, 2, 3];

/** Stands where the workspaces will be, in their places. It shows only when they take longer than a blink. */
export function WorkspacesSkeleton() {
  return (
    <div className={styles.skeleton} role="status">
      <span className="visually-hidden">{t('ui.loading')}</span>
      <i className={styles.head} />
      <div className={cards.grid}>
        {CARDS.map((card) => (
          <div key={card} className={cards.card}>
            <i className={styles.board} />
            <div className={styles.body}>
              <i />
              <i />
              <i />
            </div>
          </div>
        ))}
      </div>
    </div>
  );
}
