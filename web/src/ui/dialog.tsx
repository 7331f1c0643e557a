import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect } from 'react';
import { t } from '../messages/messages.ts';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { isComposing } from './is-composing.ts';
import { useModal } from './use-modal.ts';

/** A window over the page, with a title and a cross. Its first field has the focus. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { dialog, props } = useModal(onClose);
  const id = useId();
  useLayoutEffect(() => {
    dialog.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  }, [dialog]);
  return (
    <dialog {...props} className={styles.dialog} aria-labelledby={id} onKeyDown={leaveToInputMethod}>
      <div className={styles.body}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          <IconButton label={t('ui.close')} onClick={() => dialog.current?.close()}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>
  );
}

/** The Enter that chooses a word sends no form (O-F2). */
function leaveToInputMethod(event: KeyboardEvent): void {
  if (event.key === 'Enter' && isComposing(event)) event.preventDefault();
}
