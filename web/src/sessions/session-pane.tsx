import { emptySession, type SessionState } from '@tscodex/shared/session-state';
import type { ModelChoice } from '@tscodex/shared/workspace';
import { type ReactNode, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { Asks } from '../asks/asks.tsx';
import { Composer } from '../composer/composer.tsx';
import { Conversation } from '../conversation/conversation.tsx';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { createSession, sessionActions, unsavedActions } from '../state/session-actions.ts';
import { useSession } from '../state/use-session.ts';
import { Button } from '../ui/button.tsx';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { SessionHeader } from './session-header.tsx';
import styles from './session-pane.module.css';

type Props = {
  workspaceId: string;
  /** The workspace's directory; empty until it is known. */
  dir: string;
  /** null: one that its first message will create. */
  sessionId: string | null;
  models: readonly ModelChoice[];
  onCreated: (session: string) => void;
  onClose: (state: SessionState) => void;
  /** Buttons of the page, for the header. */
  children?: ReactNode;
};

/** One session: what it is, what was said, what it asks, and where to answer. Writable before it has arrived. */
export function SessionPane(props: Props) {
  const { sessionId, models, dir, onClose } = props;
  const { link } = useServices();
  const { connection } = useStore(link);
  const { state, problem, actions, retry } = useSession(sessionId);
  const unsaved = useUnsaved(props.workspaceId, dir, props.onCreated);
  const shown = state ?? (sessionId === null ? unsaved.state : { ...unsaved.state, id: sessionId });
  const doing = actions ?? unsaved.actions;
  const model = sessionId === null ? models[0]?.id : state?.model;
  const demo = models.some((choice) => choice.demo && choice.id === model);
  return (
    <>
      <SessionHeader
        title={titleOf(sessionId, state)}
        state={state}
        demo={demo}
        onClose={state && (() => onClose(state))}
      >
        {props.children}
      </SessionHeader>
      {state && problem && (
        <p className={styles.problem} role="alert">
          {problem.message} <Button onClick={retry}>{t('ui.tryAgain')}</Button>
        </p>
      )}
      <ErrorBoundary key={sessionId}>
        {(state || sessionId === null) && <Conversation state={shown} actions={doing} />}
        {sessionId !== null && !state && !problem && <Skeleton />}
        {!state && problem && (
          <Notice role="alert" title={t('sessions.failed')} text={problem.message}>
            <Button onClick={retry}>{t('ui.tryAgain')}</Button>
          </Notice>
        )}
      </ErrorBoundary>
      <div className={styles.dock}>
        <ErrorBoundary>
          <Asks state={shown} actions={doing} />
          <Composer state={shown} actions={doing} connection={connection} />
        </ErrorBoundary>
      </div>
    </>
  );
}

function titleOf(sessionId: string | null, state: SessionState | null): string | null {
  if (sessionId === null) return t('sessions.new');
  return state && (state.title ?? t('sessions.untitled'));
}

/** A session that is not there yet, and how its first message makes it. */
function useUnsaved(id: string, dir: string, onCreated: (session: string) => void) {
  const { api } = useServices();
  const [createdAt] = useState(() => new Date().toISOString());
  const state = useMemo(
    () => emptySession({ id: `new:${id}`, workspaceId: id, cwd: dir, createdAt }),
    [id, dir, createdAt],
  );
  const actions = useMemo(
    () =>
      unsavedActions(
        async () => (await createSession(api, id, {})).id,
        (session) => sessionActions(api, session),
        onCreated,
      ),
    [api, id, onCreated],
  );
  return { state, actions };
}
