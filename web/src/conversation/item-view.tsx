import type { Item } from '@tscodex/shared/items';
import { memo } from 'react';
import { useLanguage } from '../messages/spoken.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { CopyLink } from './copy-link.tsx';
import type { ItemProps } from './item-props.ts';
import styles from './item-view.module.css';
import { rendererOf } from './renderers.tsx';
import { UnknownItemView } from './unknown-item.tsx';

/** Types that stand for themselves. All others are work between the words: thin rows along one rule. */
const WORDS = new Set([
  'userMessage',
  'agentMessage',
  'reasoning',
  'fileChange',
  'plan',
  'compaction',
  'notice',
]);

function isWork({ type }: Item): boolean {
  return !WORDS.has(type);
}

/** Of what is said, when it is said whole. */
function isMessage({ type, status }: Item): boolean {
  return (type === 'userMessage' || type === 'agentMessage') && status !== 'inProgress';
}

type Place = {
  /** The item that it stands below. */
  after: Item | undefined;
  /** Somebody was led to it. */
  marked: boolean;
};

/**
 * One item of the conversation. An item that did not change is the same object, so a delta renders one of
 * these. One that is not what its type promises is shown as it came, and harms no other. `aria-busy` keeps a
 * screen reader from reading a text again with every piece of it.
 */
export const ItemView = memo(function ItemView(props: ItemProps & Place) {
  useLanguage();
  const { item, after, marked } = props;
  const Renderer = rendererOf(item.type);
  return (
    <div
      className={styles.item}
      data-item={item.type}
      data-id={item.id}
      data-work={isWork(item) || undefined}
      data-after={after && (isWork(after) ? 'work' : 'words')}
      data-marked={marked || undefined}
      aria-busy={item.status === 'inProgress' || undefined}
    >
      <ErrorBoundary fallback={<UnknownItemView {...props} />}>
        <Renderer {...props} />
      </ErrorBoundary>
      {isMessage(item) && <CopyLink item={item.id} />}
    </div>
  );
});
