import { type KeyboardEvent, useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { isComposing } from '../ui/is-composing.ts';
import styles from './asks.module.css';

/** Declining with words that the model will read. Enter sends them, Escape goes back to the choices. */
export function ReasonField(props: {
  reason: string;
  busy: boolean;
  /** Whether the person has just asked for it, rather than come back to it. */
  takesFocus: boolean;
  onChange: (reason: string) => void;
  onDecline: () => void;
  onCancel: () => void;
}) {
  const { reason, takesFocus } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus({ preventScroll: true });
  }, [takesFocus]);
  const empty = reason.trim() === '';
  const decline = () => {
    if (!empty && !props.busy) props.onDecline();
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
        ref={field}
        className={styles.field}
        aria-label={t('asks.reason')}
        placeholder={t('asks.reason')}
        rows={2}
        value={reason}
        onChange={(event) => props.onChange(event.target.value)}
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
