import { Ellipsis } from 'lucide-react';
import { type Ref, useCallback, useState } from 'react';
import { t } from '../messages/messages.ts';
import { useMutedSession } from '../notifications/use-notifications.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu } from '../ui/menu.tsx';
import styles from './session-menu.module.css';

/** To the line above and below; null where there is none. */
export type Moves = { up: (() => void) | null; down: (() => void) | null };

/** What can be done with a session as a whole. */
export function SessionMenu(
  props: Moves & {
    ref: Ref<HTMLButtonElement>;
    session: string;
    onRename: () => void;
    onClose: () => void;
  },
) {
  const [open, setOpen] = useState(false);
  const [muted, setMuted] = useMutedSession(props.session);
  const shut = useCallback(() => setOpen(false), []);
  const choices = [
    { id: 'rename', label: t('sessions.rename'), run: props.onRename },
    { id: 'up', label: t('sessions.moveUp'), run: props.up },
    { id: 'down', label: t('sessions.moveDown'), run: props.down },
    { id: 'mute', label: t(muted ? 'sessions.unmute' : 'sessions.mute'), run: () => setMuted(!muted) },
    { id: 'close', label: t('sessions.close'), run: props.onClose },
  ];
  return (
    <span className={styles.around}>
      <IconButton
        ref={props.ref}
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
          entries={choices.filter(({ run }) => run !== null)}
          onClose={shut}
          onChoose={(id) => {
            shut();
            choices.find((choice) => choice.id === id)?.run?.();
          }}
        />
      )}
    </span>
  );
}
