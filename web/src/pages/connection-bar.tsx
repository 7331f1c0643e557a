import { X } from 'lucide-react';
import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import type { Trouble } from '../state/connection.ts';
import { useServices } from '../state/services.ts';
import { IconButton } from '../ui/button.tsx';
import styles from './connection-bar.module.css';

/**
 * Says that the live connection is gone, once that has lasted a moment, and what a proxy in between does to it. It
 * lies over the page; nothing moves.
 */
export function ConnectionBar() {
  const { link, dismissTrouble } = useServices();
  const { connection, trouble } = useStore(link);
  const lost = connection === 'lost';
  return (
    <div className={styles.bar} role="status" data-lost={lost}>
      {lost && trouble?.kind !== 'idle' && (
        <div className={styles.note}>
          <p>{trouble ? sentence(trouble) : t('pages.lost')}</p>
        </div>
      )}
      {trouble?.kind === 'idle' && (
        <div className={styles.note}>
          <p>{sentence(trouble)}</p>
          <IconButton label={t('pages.dismiss')} onClick={dismissTrouble}>
            <X aria-hidden="true" size={16} />
          </IconButton>
        </div>
      )}
    </div>
  );
}

function sentence(trouble: Trouble): string {
  switch (trouble.kind) {
    case 'told':
      return trouble.sentence;
    case 'refused':
      return t('api.refused');
    case 'silent':
      return t('api.silent');
    case 'idle':
      return t('api.idle', { count: trouble.seconds });
  }
}
