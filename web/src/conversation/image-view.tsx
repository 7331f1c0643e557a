import type { Item } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';
import type { ItemProps } from './item-props.ts';
import { OneLine } from './one-line.tsx';

/** An image that the agent looked at. */
export function ImageView({ item }: ItemProps<Extract<Item, { type: 'imageView' }>>) {
  return <OneLine status={item.status} verb={t('conversation.looked')} subject={item.path} />;
}
