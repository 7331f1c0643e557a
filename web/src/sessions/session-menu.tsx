import { Ellipsis } from 'lucide-react';
import { useCallback, useState } from 'react';
import { t } from '../messages/messages.ts';
import { useMutedSession } from '../notifications/use-notifications.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import styles from './session-menu.module.css';

/** What can be done with a session as a whole. */
export function SessionMenu(props: { session: string; onRename: () => void; onClose: () => void }) {
  const [open, setOpen] = useState(false);
  const [muted, setMuted] = useMutedSession(props.session);
  const shut = useCallback(() => setOpen(false), []);
  const acts: Record<string, () => void> = {
    rename: props.onRename,
    mute: () => setMuted(!muted),
    close: props.onClose,
  };
  return (
    <span className={styles.around}>
      <IconButton
        label={t('sessions.menu')}
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Ellipsis size={16} aria-hidden="true" />
      </IconButton>
      {open && (
        <Menu
          atEnd
          label={t('sessions.menu')}
          entries={[
            { id: 'rename', label: t('sessions.rename') },
            { id: 'mute', label: t(muted ? 'sessions.unmute' : 'sessions.mute') },
            { id: 'close', label: t('sessions.close') },
          ]}
          onClose={shut}
          onChoose={(id) => {
            shut();
            acts[id]?.();
          }}
        />
      )}
    </span>
  );
}
