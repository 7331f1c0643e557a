import { X } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { Button, IconButton } from '../ui/button.tsx';
import styles from './aim-note.module.css';
import type { AimTrouble } from './use-aimed-item.ts';

/** Why the message that a link leads to is not in view. */
export function AimNote(props: { trouble: AimTrouble | null; retry: () => void; dismiss: () => void }) {
  const { trouble } = props;
  if (trouble === null) return null;
  return (
    <div className={styles.note}>
      <span role="status">
        {trouble.unknown
          ? t('conversation.aimUnknown')
          : t('conversation.aimFailed', { reason: trouble.reason })}
      </span>
      {!trouble.unknown && (
        <Button look="quiet" onClick={props.retry}>
          {t('ui.tryAgain')}
        </Button>
      )}
      <IconButton label={t('ui.close')} onClick={props.dismiss}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
