import { Inbox } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';
import styles from './inbox-button.module.css';
import { useInbox } from './inbox-context.ts';

/** Opens the inbox and says how many wait in it. */
export function InboxButton() {
  const { count, isOpen, open } = useInbox();
  return (
    <IconButton
      label={count === 0 ? t('inbox.open') : t('inbox.openWaiting', { count })}
      className={styles.button}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      aria-keyshortcuts="Alt+I"
      data-inbox-button
      onClick={open}
    >
      <InboxIcon size={17} />
    </IconButton>
  );
}

/** The tray, with the number on it. */
export function InboxIcon({ size }: { size: number }) {
  const { count } = useInbox();
  return (
    <span className={styles.icon} aria-hidden="true">
      <Inbox size={size} />
      {count > 0 && <span className={styles.count}>{count > 99 ? '99+' : count}</span>}
    </span>
  );
}
