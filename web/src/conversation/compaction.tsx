import type { Item } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';
import styles from './compaction.module.css';
import type { ItemProps } from './item-props.ts';

/** Where the model's memory of the conversation was summarised. */
export function CompactionView({ item }: ItemProps<Extract<Item, { type: 'compaction' }>>) {
  const { status, itemsBefore, itemsAfter } = item;
  return (
    <p className={styles.compaction}>
      {status === 'inProgress'
        ? t('conversation.compacting')
        : t('conversation.compacted', { before: itemsBefore, after: itemsAfter })}
    </p>
  );
}
