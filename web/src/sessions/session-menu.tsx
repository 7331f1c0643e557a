import type { Ref } from 'react';
import { t } from '../messages/messages.ts';
import { useMutedSession } from '../notifications/use-notifications.ts';
import { MoreMenu } from '../ui/more-menu.tsx';

/** To the line above and below; null where there is none. */
export type Moves = { up: (() => void) | null; down: (() => void) | null };

/** What can be done with a session as a whole. */
export function SessionMenu(
  props: Moves & {
    ref: Ref<HTMLButtonElement>;
    session: string;
    onRename: () => void;
    onFind: () => void;
    onClose: () => void;
  },
) {
  const [muted, setMuted] = useMutedSession(props.session);
  return (
    <MoreMenu
      ref={props.ref}
      label={t('sessions.menu')}
      choices={[
        { id: 'rename', label: t('sessions.rename'), run: props.onRename },
        { id: 'find', label: t('sessions.find'), run: props.onFind },
        { id: 'up', label: t('sessions.moveUp'), run: props.up },
        { id: 'down', label: t('sessions.moveDown'), run: props.down },
        { id: 'mute', label: t(muted ? 'sessions.unmute' : 'sessions.mute'), run: () => setMuted(!muted) },
        { id: 'close', label: t('sessions.close'), run: props.onClose },
      ]}
    />
  );
}
