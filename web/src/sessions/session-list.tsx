import type { SessionSummary } from '@tscodex/shared/workspace';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../messages/messages.ts';
import { serverSentence } from '../messages/server-sentence.ts';
import { isUnread, type Seen } from '../state/seen-sessions.ts';
import { StatusDot } from '../ui/status-dot.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { RenameField } from './rename-field.tsx';
import styles from './session-list.module.css';
import { markOf } from './session-mark.ts';
import { lineByKey } from './session-order.ts';
import { useDragToMove } from './use-drag-to-move.ts';

/** The element ids of a session's tab, and of the panel that shows the chosen one. */
export const tabId = (session: string) => `session-${session}`;
export const PANEL_ID = 'session-panel';

type Props = {
  sessions: readonly SessionSummary[];
  chosen: string | null;
  seen: Seen;
  titleOf: (session: SessionSummary) => string | null;
  onChoose: (session: string) => void;
  onClose: (session: SessionSummary) => void;
  onRename: (session: SessionSummary, title: string) => void;
  /** To another line, from 0. */
  onMove: (session: string, to: number) => void;
};

/**
 * The sessions as tabs. Arrow keys move among them, Enter and Space open, F2 and a double click rename, Delete
 * closes; with Alt the arrows move the session itself, as dragging does.
 */
export function SessionList(props: Props) {
  const { sessions, chosen, seen } = props;
  const list = useRef<HTMLDivElement>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const drag = useDragToMove(sessions, props.onMove);
  const entry =
    [focused, chosen].find((id) => sessions.some((session) => session.id === id)) ?? sessions[0]?.id;

  const focus = (at: number) => list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus();

  // the one that takes the place of a deleted one has the focus then, unless it has moved on meanwhile
  const deleted = useRef<{ id: string; at: number } | null>(null);
  const renamed = useRef<string | null>(null);
  useLayoutEffect(() => {
    if (renamed.current !== null) document.getElementById(tabId(renamed.current))?.focus();
    renamed.current = null;
    const gone = deleted.current;
    if (!gone || sessions.some(({ id }) => id === gone.id)) return;
    deleted.current = null;
    if (document.activeElement === document.body) focus(Math.min(gone.at, sessions.length - 1));
  });

  const onKeyDown = (event: KeyboardEvent, session: SessionSummary, at: number) => {
    const to = lineByKey(event.key, at, sessions.length);
    if (event.key === 'F2') setRenaming(session.id);
    else if (event.key === 'Delete') {
      deleted.current = { id: session.id, at };
      props.onClose(session);
    } else if (to === null) return;
    else if (!event.altKey) focus(to);
    // around the end is no place to move a session to
    else if (Math.abs(to - at) === 1 || !event.key.startsWith('Arrow')) props.onMove(session.id, to);
    event.preventDefault();
  };
  const endRenaming = (session: string, byKey: boolean) => {
    setRenaming(null);
    if (byKey) renamed.current = session;
  };

  if (sessions.length === 0) return <p className={styles.none}>{t('sessions.none')}</p>;
  return (
    <div
      ref={list}
      className={styles.list}
      role="tablist"
      aria-label={t('sessions.title')}
      aria-orientation="vertical"
    >
      {sessions.map((session, at) =>
        session.id === renaming ? (
          <div key={session.id} className={styles.row} data-renaming="true">
            <StatusDot tone={markOf(session, false).tone} />
            <RenameField
              title={props.titleOf(session)}
              onSave={(title) => props.onRename(session, title)}
              onEnd={(byKey) => endRenaming(session.id, byKey)}
            />
          </div>
        ) : (
          <button
            key={session.id}
            id={tabId(session.id)}
            type="button"
            role="tab"
            className={styles.row}
            aria-selected={session.id === chosen}
            aria-controls={session.id === chosen ? PANEL_ID : undefined}
            aria-keyshortcuts="F2 Delete Alt+ArrowUp Alt+ArrowDown"
            tabIndex={session.id === entry ? 0 : -1}
            title={session.problem ? serverSentence(session.problem) : (props.titleOf(session) ?? undefined)}
            onFocus={() => setFocused(session.id)}
            onKeyDown={(event) => onKeyDown(event, session, at)}
            onClick={() => props.onChoose(session.id)}
            onDoubleClick={() => setRenaming(session.id)}
            {...drag.line(session.id, at)}
          >
            <Line
              session={session}
              title={props.titleOf(session)}
              unread={session.id !== chosen && isUnread(seen, session)}
            />
          </button>
        ),
      )}
    </div>
  );
}

function Line(props: { session: SessionSummary; title: string | null; unread: boolean }) {
  const { session, unread } = props;
  const mark = markOf(session, unread);
  return (
    <>
      <StatusDot tone={mark.tone} />
      <span className={styles.title} data-unread={unread}>
        <Title text={props.title ?? t('sessions.untitled')} />
      </span>
      {mark.words !== '' && <span className="visually-hidden">{mark.words}</span>}
      <span className={styles.short} data-tone={mark.tone} aria-hidden="true">
        {mark.short ?? <TimeAgo at={session.lastActivityAt} />}
      </span>
    </>
  );
}

/** The number by which forks differ stays in view, however long the title before it is. */
function Title({ text }: { text: string }) {
  const [, words = text, number = ''] = /^(.+?)( \(\d+\))$/s.exec(text) ?? [];
  return (
    <>
      <span className={styles.words}>{words}</span>
      {number}
    </>
  );
}
