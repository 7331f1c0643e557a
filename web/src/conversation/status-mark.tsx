import type { ItemStatus } from '@tscodex/shared/items';
import { Ban, Check, CircleQuestionMark, CircleSlash, LoaderCircle, X } from 'lucide-react';
import { t } from '../messages/messages.ts';
import styles from './status-mark.module.css';

/**
 * `asking`: it has not begun, and will not before a person says so. `notAllowed`: a rule or the policy refused it,
 * nobody was asked.
 */
export type MarkStatus = ItemStatus | 'asking' | 'notAllowed';

/** How something went, as a mark with a name. */
export function StatusMark({ status }: { status: MarkStatus }) {
  const { Icon, name } = marks[status];
  return (
    <span className={styles.mark} data-status={status}>
      <Icon size={14} strokeWidth={2.4} aria-hidden="true" />
      <span className="visually-hidden">{t(name)}</span>
    </span>
  );
}

const marks = {
  asking: { Icon: CircleQuestionMark, name: 'conversation.waitsForYou' },
  inProgress: { Icon: LoaderCircle, name: 'conversation.inProgress' },
  completed: { Icon: Check, name: 'conversation.succeeded' },
  failed: { Icon: X, name: 'conversation.failed' },
  declined: { Icon: Ban, name: 'conversation.declined' },
  notAllowed: { Icon: Ban, name: 'conversation.notAllowed' },
  interrupted: { Icon: CircleSlash, name: 'conversation.interrupted' },
} as const;
