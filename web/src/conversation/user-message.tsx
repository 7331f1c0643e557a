import type { UserMessage } from '@tscodex/shared/items';
import { Thumbnails } from '../images/thumbnails.tsx';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { fullTime, timeOfDay } from '../ui/quantities.ts';
import { EditInFork } from './edit-in-fork.tsx';
import type { ItemProps } from './item-props.ts';
import { useOpen } from './open-items.ts';
import styles from './user-message.module.css';

/** Characters shown of a long message before it is opened. */
const SHOWN = 4_000;

/** What a person wrote, as they wrote it. */
export function UserMessageView({ item, actions }: ItemProps<UserMessage>) {
  const [whole, setWhole] = useOpen(item.id, item.text.length <= SHOWN);
  return (
    <div className={styles.message}>
      <div className={styles.bubble}>
        {item.text !== '' && (
          <div className={styles.text}>{whole ? item.text : `${item.text.slice(0, SHOWN)}…`}</div>
        )}
        {!whole && (
          <Button look="quiet" data-shows-more onClick={() => setWhole(true)}>
            {t('conversation.showAll')}
          </Button>
        )}
        {item.attachments.length > 0 && (
          <div className={styles.images}>
            <Thumbnails images={item.attachments} />
          </div>
        )}
      </div>
      <div className={styles.meta}>
        {item.author && <span>{item.author}</span>}
        <time dateTime={item.startedAt} title={fullTime(item.startedAt)}>
          {timeOfDay(item.startedAt)}
        </time>
        <span>{stateOf(item)}</span>
        <EditInFork item={item} actions={actions} />
      </div>
    </div>
  );
}

function stateOf({ mode, status }: UserMessage): string {
  if (mode === 'command') return t('conversation.command');
  return status === 'inProgress' ? t('conversation.saved') : t('conversation.seen');
}
