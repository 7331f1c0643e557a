import type { Item } from '@tscodex/shared/items';
import type { SessionActions } from '../state/actions.ts';

/** What every renderer of an item gets. */
export type ItemProps<Kind extends Item = Item> = {
  item: Kind;
  actions: SessionActions;
  /** Whether it waits for a person's word. */
  asking: boolean;
  /** Whether this item is the one that offers to go on after an interruption or a pause. */
  resumable: boolean;
};
