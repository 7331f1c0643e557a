import type { SessionState } from '@tscodex/shared/session-state';
import { t } from '../messages/messages.ts';
import styles from './composer.module.css';

/** Whether nothing can be said in the session. */
export function isReadOnly({ status, heldBy }: Pick<SessionState, 'status' | 'heldBy'>): boolean {
  return status === 'closed' || heldBy !== null;
}

/** Who else writes the session, and what that means for whoever wants to. */
export function HeldNote({ heldBy }: Pick<SessionState, 'heldBy'>) {
  if (!heldBy) return null;
  const { pid, program } = heldBy;
  const known = pid !== null && program !== null;
  return (
    <p className={styles.note} role="note">
      {known ? t('composer.heldBy', { program, pid: `${pid}` }) : t('composer.heldBySomebody')}
    </p>
  );
}
