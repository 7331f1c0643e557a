import type { SubAgent } from '@tscodex/shared/items';
import type { SessionState } from '@tscodex/shared/session-state';
import { useRef } from 'react';
import { Link } from 'wouter';
import { ConfinesContext } from '../conversation/confines-context.ts';
import { LinkedSession } from '../conversation/copy-link.tsx';
import { ItemView } from '../conversation/item-view.tsx';
import { useFollow } from '../conversation/use-follow.ts';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import type { SessionActions } from '../state/actions.ts';
import { OpeningContext } from '../state/opening.ts';
import { useSession } from '../state/use-session.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { placeOfSession } from './agent-status.ts';
import styles from './agents.module.css';
import { AgentsContext } from './agents-context.ts';

/** What an agent says and does, live, inside of the conversation that has started it. */
export function AgentConversation({ item: { agentId, nickname } }: { item: SubAgent }) {
  const { state, problem, actions } = useSession(agentId);
  if (!state || !actions) {
    if (!problem) return <Skeleton />;
    return (
      <p className={styles.problem} role="alert">
        {t('agents.unreadable', { nickname, reason: serverSentence(problem) })}
      </p>
    );
  }
  return <Shown nickname={nickname} state={state} actions={actions} />;
}

function Shown(props: { nickname: string; state: SessionState; actions: SessionActions }) {
  const { nickname, state, actions } = props;
  const view = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useFollow(view, content);
  const asking = new Set(state.asks.map((ask) => ask.itemId));
  return (
    <ConfinesContext value={state.confined}>
      <LinkedSession value={state.id}>
        <section
          ref={view}
          className={styles.conversation}
          aria-label={t('agents.conversation', { nickname })}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
        >
          {/* who wants to go on from here opens it alone */}
          <OpeningContext value={null}>
            <AgentsContext value={state.agents}>
              <div ref={content}>
                {state.older !== null && <p className={styles.earlier}>{t('agents.earlier')}</p>}
                {state.items.map((item, at) => (
                  <ItemView
                    key={item.id}
                    item={item}
                    after={state.items[at - 1]}
                    marked={false}
                    actions={actions}
                    asking={asking.has(item.id)}
                    resumable={false}
                  />
                ))}
              </div>
            </AgentsContext>
          </OpeningContext>
        </section>
        <Link href={placeOfSession(state.workspaceId, state.id)} className={styles.alone}>
          {t('agents.openAlone', { nickname })}
        </Link>
      </LinkedSession>
    </ConfinesContext>
  );
}
