/** The conversation: every item of the session, the newest in view, the earlier ones on request. */
import type { Item } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { ArrowDown } from 'lucide-react';
import { memo, type ReactNode, type Ref, useImperativeHandle, useRef } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { useTilde } from '../ui/home-directory.ts';
import { ConfinesContext } from './confines-context.ts';
import styles from './conversation.module.css';
import { EarlierControl } from './earlier-control.tsx';
import { ItemView } from './item-view.tsx';
import { resumableItem } from './resumable-item.ts';
import { useEarlier } from './use-earlier.ts';
import { useFollow } from './use-follow.ts';

/** What may be asked of the conversation from beside it. */
export type ConversationHandle = {
  /** Brings the end into view: somebody here said something (O-F8). */
  follow: () => void;
};

type Props = {
  state: SessionState;
  actions: SessionActions;
  ref?: Ref<ConversationHandle>;
  /** What helps one to begin, below the words that say so. */
  empty?: ReactNode;
};

export function Conversation(props: Props) {
  return (
    <ConfinesContext value={props.state.confined}>
      <SessionConversation key={props.state.id} {...props} />
    </ConfinesContext>
  );
}

function SessionConversation({ state, actions, ref, empty }: Props) {
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { following, away, newOutput, follow } = useFollow(view, content);
  useImperativeHandle(ref, () => ({ follow }), [follow]);
  const earlier = useEarlier(state, actions, following, view);
  const resumable = resumableItem(state);
  const asking = new Set(state.asks.map((ask) => ask.itemId));
  const isEmpty = state.items.length === 0 && earlier.items.length === 0;
  return (
    <div className={styles.conversation}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={view} className={styles.log} role="log" aria-label={t('conversation.name')} tabIndex={0}>
        <div ref={content} className={styles.column}>
          {earlier.older !== null && <EarlierControl {...earlier} />}
          <EarlierItems items={earlier.items} actions={actions} />
          {state.items.map((item) => (
            <ItemView
              key={item.id}
              item={item}
              actions={actions}
              asking={asking.has(item.id)}
              resumable={item.id === resumable}
            />
          ))}
          {isEmpty && <Empty cwd={state.cwd}>{empty}</Empty>}
        </div>
      </div>
      {!following && away && (
        <button type="button" className={styles.pill} data-new={newOutput || undefined} onClick={follow}>
          <ArrowDown size={14} aria-hidden="true" />
          {t(newOutput ? 'conversation.newOutput' : 'conversation.toLatest')}
        </button>
      )}
    </div>
  );
}

/** Apart from the live ones, so that a delta does not even look at them. */
const EarlierItems = memo(function EarlierItems(props: { items: readonly Item[]; actions: SessionActions }) {
  return props.items.map((item) => (
    <ItemView key={item.id} item={item} actions={props.actions} asking={false} resumable={false} />
  ));
});

function Empty({ cwd, children }: { cwd: string; children: ReactNode }) {
  const shown = useTilde()(cwd);
  return (
    <div className={styles.empty}>
      <h2>{t('conversation.empty')}</h2>
      <p>{t('conversation.emptyHint', { cwd: shown })}</p>
      {children}
    </div>
  );
}
