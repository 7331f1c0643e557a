import { useId } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import { useModal } from './use-modal.ts';

const CONFIRMED = 'confirmed';

/** Asks before something that cannot be taken back. Escape and a press beside it mean no. */
export function ConfirmDialog({
  title,
  text,
  confirm,
  onConfirm,
  onCancel,
}: {
  title: string;
  text: string;
  confirm: string;
  onConfirm: () => void;
  onCancel: () => void;
}) {
  const { dialog, props } = useModal(() =>
    dialog.current?.returnValue === CONFIRMED ? onConfirm() : onCancel(),
  );
  const id = useId();
  return (
    <dialog {...props} className={styles.dialog} data-narrow="true" aria-labelledby={id}>
      <div className={styles.body}>
        <h2 id={id}>{title}</h2>
        <p className={styles.text}>{text}</p>
        <div className={styles.actions}>
          <Button onClick={() => dialog.current?.close()}>{t('ui.cancel')}</Button>
          <Button look="primary" onClick={() => dialog.current?.close(CONFIRMED)}>
            {confirm}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
