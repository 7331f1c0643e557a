import type { Item } from '@tscodex/shared/items';
import { t } from '../messages/messages.ts';
import type { ItemProps } from './item-props.ts';
import { OneLine } from './one-line.tsx';

/** A search of the web. */
export function WebSearchView({ item }: ItemProps<Extract<Item, { type: 'webSearch' }>>) {
  const verb = t(item.status === 'inProgress' ? 'conversation.searching' : 'conversation.searched');
  return <OneLine status={item.status} verb={verb} subject={item.query} />;
}
