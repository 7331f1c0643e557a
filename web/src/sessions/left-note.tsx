import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import type { Leaving } from '../state/catalog-actions.ts';
import { Button, IconButton } from '../ui/button.tsx';
import styles from './left-note.module.css';

/** How long it is offered. The list of all sessions has those that were closed or archived for ever. */
const SHOWN_MS = 20_000;

/** Says that a session was closed, archived or deleted, and takes it back. */
export function LeftNote({
  left,
}: {
  left: {
    title: string | null;
    how: Leaving;
    problem: string | null;
    undo: () => void;
    forget: () => void;
  };
}) {
  const { how, problem, undo, forget } = left;
  const end = useRef(forget);
  useEffect(() => {
    const timer = setTimeout(() => end.current(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  const title = left.title ?? t('sessions.untitled');
  return (
    <div className={styles.note} role="status">
      <p>{problem ?? t(`sessions.left.${how}`, { title })}</p>
      <Button onClick={undo}>{t('sessions.undo')}</Button>
      <IconButton label={t('ui.close')} onClick={forget}>
        <X size={14} aria-hidden="true" />
      </IconButton>
    </div>
  );
}
