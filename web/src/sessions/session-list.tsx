import type { SessionSummary } from '@tscodex/shared/workspace';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { isUnread, type Seen } from '../state/seen-sessions.ts';
import { StatusDot } from '../ui/status-dot.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import styles from './session-list.module.css';
import { markOf } from './session-mark.ts';
import { lineByKey } from './session-order.ts';

/** The element ids of a session's tab, and of the panel that shows the chosen one. */
export const tabId = (session: string) => `session-${session}`;
export const PANEL_ID = 'session-panel';

/** The sessions as tabs. Arrow keys move among them, Enter and Space open, Delete closes. */
export function SessionList({
  sessions,
  chosen,
  seen,
  onChoose,
  onClose,
}: {
  sessions: readonly SessionSummary[];
  chosen: string | null;
  seen: Seen;
  onChoose: (session: string) => void;
  onClose: (session: SessionSummary) => void;
}) {
  const list = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const entry =
    [focused, chosen].find((id) => sessions.some((session) => session.id === id)) ?? sessions[0]?.id;

  const focus = (at: number) => list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus();

  // the one that takes the place of a deleted one has the focus then, unless it has moved on meanwhile
  const deleted = useRef<{ id: string; at: number } | null>(null);
  useLayoutEffect(() => {
    const gone = deleted.current;
    if (!gone || sessions.some(({ id }) => id === gone.id)) return;
    deleted.current = null;
    if (document.activeElement === document.body) focus(Math.min(gone.at, sessions.length - 1));
  });

  const onKeyDown = (event: KeyboardEvent, at: number) => {
    const session = sessions[at];
    if (event.key === 'Delete' && session) {
      deleted.current = { id: session.id, at };
      onClose(session);
    }
    const to = lineByKey(event.key, at, sessions.length);
    if (to === null) return;
    event.preventDefault();
    focus(to);
  };

  return (
    <div
      ref={list}
      className={styles.list}
      role="tablist"
      aria-label={t('sessions.title')}
      aria-orientation="vertical"
    >
      {sessions.map((session, at) => (
        <button
          key={session.id}
          id={tabId(session.id)}
          type="button"
          role="tab"
          className={styles.row}
          aria-selected={session.id === chosen}
          aria-controls={session.id === chosen ? PANEL_ID : undefined}
          tabIndex={session.id === entry ? 0 : -1}
          title={session.problem ?? session.title ?? undefined}
          onFocus={() => setFocused(session.id)}
          onKeyDown={(event) => onKeyDown(event, at)}
          onClick={() => onChoose(session.id)}
        >
          <Line session={session} unread={session.id !== chosen && isUnread(seen, session)} />
        </button>
      ))}
    </div>
  );
}

function Line({ session, unread }: { session: SessionSummary; unread: boolean }) {
  const mark = markOf(session, unread);
  return (
    <>
      <StatusDot tone={mark.tone} />
      <span className={styles.title} data-unread={unread}>
        {session.title ?? t('sessions.untitled')}
      </span>
      {mark.words !== '' && <span className="visually-hidden">{mark.words}</span>}
      <span className={styles.short} aria-hidden="true">
        {mark.short ?? <TimeAgo at={session.lastActivityAt} />}
      </span>
    </>
  );
}
