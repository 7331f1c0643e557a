import type { Ref } from 'react';
import { t } from '../messages/messages.ts';
import { useMutedSession } from '../notifications/use-notifications.ts';
import type { Leaving } from '../state/catalog-actions.ts';
import { MoreMenu } from '../ui/more-menu.tsx';
import { downloadExport } from './download-export.ts';

/** To the line above and below; null where there is none. */
export type Moves = { up: (() => void) | null; down: (() => void) | null };

/** What can be done with a session as a whole. */
export function SessionMenu(
  props: Moves & {
    ref: Ref<HTMLButtonElement>;
    session: string;
    /** null while it cannot be changed. */
    onModel: (() => void) | null;
    onDirectory: (() => void) | null;
    /** null where no other session can be shown. */
    onFork: (() => void) | null;
    onRename: () => void;
    onFind: () => void;
    onLeave: (how: Leaving) => void;
  },
) {
  const { session } = props;
  const [muted, setMuted] = useMutedSession(session);
  return (
    <MoreMenu
      ref={props.ref}
      label={t('sessions.menu')}
      choices={[
        { id: 'rename', label: t('sessions.rename'), run: props.onRename },
        { id: 'find', label: t('sessions.find'), run: props.onFind },
        { id: 'up', label: t('sessions.moveUp'), run: props.up },
        { id: 'down', label: t('sessions.moveDown'), run: props.down },
        { id: 'model', label: t('sessions.changeModel'), run: props.onModel },
        { id: 'directory', label: t('sessions.changeDirectory'), run: props.onDirectory },
        { id: 'fork', label: t('sessions.fork'), run: props.onFork },
        {
          id: 'markdown',
          label: t('sessions.exportMarkdown'),
          run: () => downloadExport(session, 'markdown'),
        },
        { id: 'json', label: t('sessions.exportJson'), run: () => downloadExport(session, 'json') },
        { id: 'mute', label: t(muted ? 'sessions.unmute' : 'sessions.mute'), run: () => setMuted(!muted) },
        { id: 'close', label: t('sessions.close'), run: () => props.onLeave('closed') },
        { id: 'archive', label: t('sessions.archive'), run: () => props.onLeave('archived') },
        { id: 'delete', label: t('sessions.delete'), run: () => props.onLeave('deleted') },
      ]}
    />
  );
}
