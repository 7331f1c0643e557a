import type { Item } from '@tscodex/shared/items';
import { Thumbnails } from '../images/thumbnails.tsx';
import { t } from '../messages/messages.ts';
import { useShortPath } from '../ui/work-directory.ts';
import styles from './image-view.module.css';
import type { ItemProps } from './item-props.ts';
import { OneLine } from './one-line.tsx';

/** An image that the agent looked at. */
export function ImageView({ item }: ItemProps<Extract<Item, { type: 'imageView' }>>) {
  const short = useShortPath();
  return (
    <>
      <OneLine status={item.status} verb={t('conversation.looked')} subject={short(item.path)} />
      {item.image && (
        <div className={styles.image}>
          <Thumbnails images={[item.image]} />
        </div>
      )}
    </>
  );
}
