import { type KeyboardEvent, useState } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { isComposing } from '../ui/is-composing.ts';
import styles from './asks.module.css';

/** Declining with words that the model will read. Enter sends them, Escape goes back to the choices. */
export function ReasonField(props: {
  busy: boolean;
  onDecline: (reason: string) => void;
  onCancel: () => void;
}) {
  const [reason, setReason] = useState('');
  const empty = reason.trim() === '';
  const decline = () => {
    if (!empty && !props.busy) props.onDecline(reason);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Escape') props.onCancel();
    else if (event.key === 'Enter' && !event.shiftKey) decline();
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.ownWords}>
      <textarea
        // the person has just asked for this field
        ref={(field) => field?.focus({ preventScroll: true })}
        className={styles.field}
        aria-label={t('asks.reason')}
        placeholder={t('asks.reason')}
        rows={2}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.buttons}>
        <Button look="primary" disabled={empty || props.busy} onClick={decline}>
          {t('asks.sendReason')}
        </Button>
        <Button look="quiet" onClick={props.onCancel}>
          {t('ui.cancel')}
        </Button>
      </div>
    </div>
  );
}
