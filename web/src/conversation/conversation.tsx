/** The conversation: every item of the session, the newest in view, the earlier ones as the reader comes to them. */
import type { SessionState } from '@tscodex/shared/session-state';
import { ArrowDown } from 'lucide-react';
import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { useTilde } from '../ui/home-directory.ts';
import { AimNote } from './aim-note.tsx';
import { ConfinesContext } from './confines-context.ts';
import styles from './conversation.module.css';
import { Edge } from './edge.tsx';
import { FindBar } from './find-bar.tsx';
import { ItemView } from './item-view.tsx';
import { OpenItems, OpenItemsContext } from './open-items.ts';
import { PastItems } from './past-items.tsx';
import { resumableItem } from './resumable-item.ts';
import { useAimedItem } from './use-aimed-item.ts';
import { useFindKey } from './use-find-key.ts';
import { useShown } from './use-shown.ts';

/** What may be asked of the conversation from beside it. */
export type ConversationHandle = {
  /** Brings the end into view: somebody here said something (O-F8). */
  follow: () => void;
  /** Opens the bar that finds words in it. */
  find: () => void;
};

type Props = {
  state: SessionState;
  actions: SessionActions;
  ref?: Ref<ConversationHandle>;
  /** The item that somebody was led to. */
  aim?: string | null;
  /** What helps one to begin, below the words that say so. */
  empty?: ReactNode;
};

export function Conversation(props: Props) {
  const { id, confined } = props.state;
  return (
    <ConfinesContext value={confined}>
      <SessionConversation key={id} {...props} />
    </ConfinesContext>
  );
}

function SessionConversation({ state, actions, ref, aim = null, empty }: Props) {
  const view = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [open] = useState(() => new OpenItems());
  const shown = useShown(state, actions, view, content);
  const { stretch, tail, following } = shown;
  const aimed = useAimedItem(aim, shown.goTo);
  const finding = useFindKey(view);
  useImperativeHandle(ref, () => ({ follow: shown.follow, find: finding.begin }), [
    shown.follow,
    finding.begin,
  ]);
  const resumable = resumableItem(state);
  const asking = new Set(state.asks.map((ask) => ask.itemId));
  const isEmpty = state.items.length === 0 && shown.past.length === 0;
  return (
    <div className={styles.conversation}>
      {finding.isOpen && (
        <FindBar
          field={finding.field}
          actions={actions}
          content={content}
          view={view}
          goTo={shown.goTo}
          reveal={(item) => open.reveal(item)}
          onClose={finding.end}
        />
      )}
      <AimNote trouble={aimed.trouble} retry={aimed.retry} dismiss={aimed.dismiss} />
      <div
        ref={view}
        className={styles.log}
        role="log"
        aria-label={t('conversation.name')}
        // who reads above hears of no old item that comes into the page
        aria-live={following ? undefined : 'off'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <div ref={content} className={styles.column}>
          <OpenItemsContext value={open}>
            {stretch.older !== null && <Edge to="older" {...shown.older} />}
            {shown.past.length > 0 && (
              <PastItems
                items={shown.past}
                actions={actions}
                number={stretch.number}
                view={view}
                list={shown.list}
                above={shown.above}
                marked={aimed.marked}
                held={shown.held}
              />
            )}
            <div>
              {tail.map((item, at) => (
                <ItemView
                  key={item.id}
                  item={item}
                  after={tail[at - 1] ?? shown.past.at(-1)}
                  marked={item.id === aimed.marked}
                  actions={actions}
                  asking={asking.has(item.id)}
                  resumable={item.id === resumable}
                />
              ))}
            </div>
            {stretch.newer !== null && <Edge to="newer" {...shown.newer} />}
          </OpenItemsContext>
          {isEmpty && <Empty cwd={state.cwd}>{empty}</Empty>}
        </div>
      </div>
      {!following && shown.away && (
        <button
          type="button"
          className={styles.pill}
          data-new={shown.newOutput || undefined}
          onClick={shown.follow}
        >
          <ArrowDown size={14} aria-hidden="true" />
          {t(shown.newOutput ? 'conversation.newOutput' : 'conversation.toLatest')}
        </button>
      )}
    </div>
  );
}

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
