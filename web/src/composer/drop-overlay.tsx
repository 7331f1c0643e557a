import { ImagePlus } from 'lucide-react';
import { createPortal } from 'react-dom';
import { t } from '../messages/messages.ts';
import styles from './drop-overlay.module.css';

/** Lies over the session's pane while files are dragged; what is dropped beside it counts as well. */
export function DropOverlay({ over }: { over: Element }) {
  return createPortal(
    <div className={styles.overlay}>
      <p className={styles.words}>
        <ImagePlus size={22} aria-hidden="true" />
        {t('images.drop')}
      </p>
    </div>,
    over,
  );
}
