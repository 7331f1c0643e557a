import type { Held } from '@tscodex/shared/permissions';
import type { SessionState } from '@tscodex/shared/session-state';
import type { ModelChoice } from '@tscodex/shared/workspace';
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'wouter';
import { useStore } from 'zustand';
import { AgentAsks } from '../agents/agent-asks.tsx';
import { AgentsContext } from '../agents/agents-context.ts';
import { Asks } from '../asks/asks.tsx';
import { useAimedAsk } from '../asks/use-aimed-ask.ts';
import { Composer } from '../composer/composer.tsx';
import { Conversation, type ConversationHandle } from '../conversation/conversation.tsx';
import { ImagePlaceContext, imagePlace } from '../images/image-place.ts';
import { t } from '../messages/messages.ts';
import type { Leaving } from '../state/catalog-actions.ts';
import { useServices } from '../state/services.ts';
import { useSession } from '../state/use-session.ts';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { WorkDirectory } from '../ui/work-directory.ts';
import { SessionHeader } from './session-header.tsx';
import type { Moves } from './session-menu.tsx';
import styles from './session-pane.module.css';
import { Suggestions } from './suggestions.tsx';
import { useComeBack } from './use-come-back.tsx';
import { useFirstMessage, useUnsavedSession } from './use-unsaved-session.ts';

type Props = {
  workspaceId: string;
  /** The workspace's directory; empty until it is known. */
  dir: string;
  /** How commands of a new session will be held; null while that is not known. */
  held: Held | null;
  /** null: one that its first message will create. */
  sessionId: string | null;
  /** The one that was created here last. */
  created: string | null;
  models: readonly ModelChoice[];
  onCreated: (session: string) => void;
  /** The title to show of a session. */
  titleOf: (session: { id: string; title: string | null }) => string | null;
  onRename: (session: { id: string; title: string | null }, title: string) => void;
  /** Closes, archives or deletes it. */
  onLeave: (state: SessionState, how: Leaving) => void;
  /** To the next line of the list. */
  move: Moves;
  /** Buttons of the page, for the header. */
  children?: ReactNode;
};

/** One session: what it is, what was said, what it asks, and where to answer. Writable before it has arrived. */
export function SessionPane(props: Props) {
  const { workspaceId, sessionId, created, models, dir } = props;
  const { api, link } = useServices();
  const images = useMemo(() => imagePlace(api, workspaceId), [api, workspaceId]);
  const { connection } = useStore(link);
  const { state, problem, actions, retry } = useSession(sessionId);
  const away = useComeBack(workspaceId, sessionId, { problem, retry });
  const unsaved = useUnsavedSession(workspaceId, dir);
  const shown = state ?? (sessionId === null ? unsaved : { ...unsaved, id: sessionId });
  // what another agent has started is named and closed by that
  const own = state?.parentId === null ? state : null;
  const doing = useFirstMessage(actions, workspaceId, props.onCreated);
  const model = sessionId === null ? models[0]?.id : state?.model;
  const demo = models.some((choice) => choice.demo && choice.id === model);

  const [search] = useSearchParams();
  const aim = search.get('session') === sessionId ? search.get('item') : null;
  const asks = useRef<HTMLDivElement>(null);
  useAimedAsk(state, asks);

  // who has just made a session is going to write
  const box = useRef<HTMLTextAreaElement>(null);
  const focusBox = useCallback(() => focusUnlessTouch(box.current), []);
  const conversation = useRef<ConversationHandle>(null);
  useEffect(() => {
    if (sessionId === created) box.current?.focus();
  }, [sessionId, created]);

  return (
    <ImagePlaceContext value={images}>
      <WorkDirectory value={shown.cwd}>
        <SessionHeader
          title={sessionId === null ? t('sessions.new') : state && props.titleOf(state)}
          state={state}
          actions={doing}
          held={sessionId === null ? props.held : null}
          demo={demo}
          onRename={own && ((title) => props.onRename(own, title))}
          onLeave={own && ((how) => props.onLeave(own, how))}
          move={props.move}
          onFind={() => conversation.current?.find()}
          onFocusLost={focusBox}
        >
          {props.children}
        </SessionHeader>
        {state && away && (
          <p className={styles.problem} role="alert">
            <span>{away.why}</span> {away.button}
          </p>
        )}
        <div className={styles.talk}>
          <ErrorBoundary key={sessionId}>
            {state || sessionId === null ? (
              <AgentsContext value={shown.agents}>
                <Conversation
                  ref={conversation}
                  state={shown}
                  aim={aim}
                  actions={doing}
                  empty={<Suggestions demo={demo} />}
                />
              </AgentsContext>
            ) : away ? (
              <Notice role="alert" title={t('sessions.failed')} text={away.why}>
                {away.button}
              </Notice>
            ) : (
              <Skeleton />
            )}
          </ErrorBoundary>
        </div>
        {(state || !away) && (
          <div className={styles.dock}>
            <ErrorBoundary>
              <div ref={asks} className={styles.asks}>
                <Asks key={shown.id} state={shown} actions={doing} onLast={focusBox} />
                <AgentAsks
                  agents={shown.agents}
                  hasKeys={shown.asks.every(({ kind }) => kind !== 'approval')}
                  onLast={focusBox}
                />
              </div>
              <Composer
                ref={box}
                state={shown}
                actions={doing}
                connection={connection}
                unsaved={unsaved.id}
                created={created}
                onSent={() => conversation.current?.follow()}
              />
            </ErrorBoundary>
          </div>
        )}
      </WorkDirectory>
    </ImagePlaceContext>
  );
}

/** On a touch screen the focus would bring up the keyboard, over what the answer sets going. */
function focusUnlessTouch(box: HTMLTextAreaElement | null): void {
  if (!matchMedia('(pointer: coarse)').matches) box?.focus();
}
