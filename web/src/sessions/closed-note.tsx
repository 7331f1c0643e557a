import { X } from 'lucide-react';
import { useEffect } from 'react';
import { t } from '../messages/messages.ts';
import { Button, IconButton } from '../ui/button.tsx';
import styles from './closed-note.module.css';

/** How long it is offered. The list of closed sessions has it for ever. */
const SHOWN_MS = 20_000;

/** Says that a session was closed, and takes it back. */
export function ClosedNote(props: {
  title: string | null;
  problem: string | null;
  onUndo: () => void;
  onEnd: () => void;
}) {
  const { onEnd } = props;
  useEffect(() => {
    const timer = setTimeout(onEnd, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [onEnd]);
  return (
    <div className={styles.note} role="status">
      <p>{props.problem ?? t('sessions.wasClosed', { title: props.title ?? t('sessions.untitled') })}</p>
      <Button onClick={props.onUndo}>{t('sessions.undo')}</Button>
      <IconButton label={t('ui.close')} onClick={onEnd}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
