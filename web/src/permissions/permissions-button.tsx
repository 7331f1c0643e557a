import type { Held } from '@tscodex/shared/permissions';
import type { SessionState } from '@tscodex/shared/session-state';
import { t } from '../messages/messages.ts';
import { Chip } from '../ui/chip.tsx';
import { usePopover } from '../ui/use-popover.ts';
import { brief } from './confinement.ts';
import styles from './permissions-button.module.css';
import { PermissionsPanel } from './permissions-panel.tsx';

/**
 * Says how commands are confined; a press opens what they may do, and the settings of the session. `session`: null
 * where its first message will make it.
 */
export function PermissionsButton({ held, session }: { held: Held; session: SessionState | null }) {
  const { isOpen, toggle, around } = usePopover();
  const { words, tone } = brief(held);
  const count = session?.grantCount ?? 0;
  const state = count === 0 ? words : t('permissions.openMore', { state: words, count });
  return (
    <span className={styles.around} {...around}>
      <button
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={t('permissions.open', { state })}
        title={isOpen ? undefined : t('permissions.title')}
        onClick={toggle}
      >
        <Chip tone={tone}>{count === 0 ? words : t('permissions.chip.more', { state: words, count })}</Chip>
      </button>
      {isOpen && <PermissionsPanel held={held} session={session} />}
    </span>
  );
}
