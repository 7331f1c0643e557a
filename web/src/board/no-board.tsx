import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import styles from './no-board.module.css';

/** In the place of a board that does not exist yet: what it would be, and how one gets it. */
export function NoBoard({ onAsk }: { onAsk: (message: string) => void }) {
  return (
    <div className={styles.page}>
      <div className={styles.sketch} aria-hidden="true">
        <i />
        <span>
          <b />
          <b />
          <b />
        </span>
        <i />
        <i />
      </div>
      <h3>{t('board.empty')}</h3>
      <p>{t('board.emptyText')}</p>
      <Button onClick={() => onAsk(t('board.suggestion'))}>{t('board.ask')}</Button>
      <small>{t('board.askHint')}</small>
    </div>
  );
}
