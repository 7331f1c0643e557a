import { LayoutDashboard, List, MessageSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { InboxIcon } from '../inbox/inbox-button.tsx';
import { useInbox } from '../inbox/inbox-context.ts';
import { t } from '../messages/messages.ts';
import { StatusDot } from '../ui/status-dot.tsx';
import styles from './phone-bar.module.css';

export type Pane = 'sessions' | 'chat' | 'board';

/** Where there is room for one pane only: which one it is. */
export function PhoneBar({
  pane,
  hasBoard,
  asking,
  onPane,
}: {
  pane: Pane;
  hasBoard: boolean;
  /** How many asks wait in other sessions. */
  asking: number;
  onPane: (pane: Pane) => void;
}) {
  const inbox = useInbox();
  const button = (name: Pane, label: string, icon: ReactNode) => (
    <button type="button" aria-current={pane === name ? 'page' : undefined} onClick={() => onPane(name)}>
      {icon}
      {label}
    </button>
  );
  return (
    <nav className={styles.bar} aria-label={t('pages.panes')}>
      {button(
        'sessions',
        t('sessions.title'),
        <span className={styles.icon}>
          <List size={18} aria-hidden="true" />
          {asking > 0 && <StatusDot tone="asking" />}
        </span>,
      )}
      {button('chat', t('pages.chat'), <MessageSquare size={18} aria-hidden="true" />)}
      {hasBoard && button('board', t('board.title'), <LayoutDashboard size={18} aria-hidden="true" />)}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={inbox.isOpen}
        aria-label={inbox.count === 0 ? t('inbox.title') : t('inbox.waiting', { count: inbox.count })}
        onClick={inbox.open}
      >
        <InboxIcon size={18} />
        {t('inbox.title')}
      </button>
    </nav>
  );
}
