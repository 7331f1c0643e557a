import { useEffect, useId, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { Button } from './button.tsx';
import styles from './confirm-dialog.module.css';

const CONFIRMED = 'confirmed';

/** Asks before something that cannot be taken back. Escape and a click beside it mean no. */
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
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  // closed by the browser, the focus goes back to where it was; every way out comes by `onClose`
  const close = (answer?: string) => dialog.current?.close(answer);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key for it, and the browser handles that
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onClose={() => (dialog.current?.returnValue === CONFIRMED ? onConfirm() : onCancel())}
      onClick={(event) => event.target === dialog.current && close()}
    >
      <div className={styles.body}>
        <h2 id={id}>{title}</h2>
        <p>{text}</p>
        <div className={styles.actions}>
          <Button onClick={() => close()}>{t('ui.cancel')}</Button>
          <Button look="primary" onClick={() => close(CONFIRMED)}>
            {confirm}
          </Button>
        </div>
      </div>
    </dialog>
  );
}
