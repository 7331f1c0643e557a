import { X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { IconButton } from './button.tsx';
import styles from './dialog.module.css';
import { isComposing } from './is-composing.ts';

/**
 * A window over the page, for as long as it is rendered. Its first field has the focus. Escape, its cross and a
 * press beside it close it; the focus then goes back to where it was.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    // before it is taken out: it gives the focus back
    return () => element?.close();
  }, []);
  // a press that begins inside, to select text, and ends beside it closes nothing
  const pressedBeside = useRef(false);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={leaveToInputMethod}
      onPointerDown={(event) => {
        pressedBeside.current = event.target === dialog.current;
      }}
      onClick={(event) => event.target === dialog.current && pressedBeside.current && onClose()}
    >
      <div className={styles.body}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          <IconButton label={t('ui.close')} onClick={onClose}>
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
