import type { ItemStatus } from '@tscodex/shared/items';
import { Ban, Check, CircleSlash, LoaderCircle, X } from 'lucide-react';
import { t } from '../messages/messages.ts';
import styles from './status-mark.module.css';

/** How something went, as a mark with a name. */
export function StatusMark({ status }: { status: ItemStatus }) {
  const { Icon, name } = marks[status];
  return (
    <span className={styles.mark} data-status={status}>
      <Icon size={14} strokeWidth={2.4} aria-hidden="true" />
      <span className="visually-hidden">{t(name)}</span>
    </span>
  );
}

const marks = {
  inProgress: { Icon: LoaderCircle, name: 'conversation.inProgress' },
  completed: { Icon: Check, name: 'conversation.succeeded' },
  failed: { Icon: X, name: 'conversation.failed' },
  declined: { Icon: Ban, name: 'conversation.declined' },
  interrupted: { Icon: CircleSlash, name: 'conversation.interrupted' },
} as const;
