import type { SessionSummary } from '@tscodex/shared/workspace';
import { Search } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { t } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { isComposing } from '../ui/is-composing.ts';
import { TimeAgo } from '../ui/time-ago.tsx';
import styles from './closed-sessions-dialog.module.css';
import { withWords } from './session-search.ts';
import { useClosedSessions } from './use-closed-sessions.ts';
import { useReopenSession } from './use-reopen-session.ts';

/** The sessions that were closed: found by title, opened again by a click or Enter. */
export function ClosedSessionsDialog(props: {
  workspaceId: string;
  onOpened: (session: string) => void;
  onClose: () => void;
}) {
  const { closed, problem: unknown } = useClosedSessions(props.workspaceId);
  const { reopen, busy, problem } = useReopenSession(props.workspaceId, props.onOpened);
  const [sought, setSought] = useState('');
  const [at, setAt] = useState(0);
  const listId = useId();
  const found = withWords(closed ?? [], sought);
  const marked = found[Math.min(at, found.length - 1)];

  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(at + by, found.length - 1)));
    } else if (event.key === 'Enter' && marked && !busy) {
      event.preventDefault();
      void reopen(marked.id);
    }
  };
  const why = problem ?? unknown;
  return (
    <Dialog title={t('sessions.closed')} onClose={props.onClose}>
      <div className={styles.search}>
        <Search size={15} aria-hidden="true" />
        <input
          type="text"
          role="combobox"
          aria-label={t('sessions.search')}
          placeholder={t('sessions.search')}
          aria-autocomplete="list"
          aria-expanded={found.length > 0}
          aria-controls={listId}
          aria-activedescendant={marked && optionId(marked)}
          autoComplete="off"
          value={sought}
          onChange={(event) => {
            setSought(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div className={styles.list}>
        <div id={listId} role="listbox" aria-label={t('sessions.closed')}>
          {found.map((session) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's, which keeps the focus
            <div
              key={session.id}
              id={optionId(session)}
              role="option"
              tabIndex={-1}
              className={styles.option}
              aria-selected={session === marked}
              ref={session === marked ? scrollIntoList : undefined}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => !busy && void reopen(session.id)}
            >
              <span>{session.title ?? t('sessions.untitled')}</span>
              <small>
                <TimeAgo at={session.lastActivityAt} />
              </small>
            </div>
          ))}
        </div>
        {closed !== null && found.length === 0 && (
          <p className={styles.note}>
            {t(closed.length === 0 ? 'sessions.noneClosed' : 'sessions.noneFound')}
          </p>
        )}
      </div>
      {why !== null && (
        <p className={styles.problem} role="alert">
          {why}
        </p>
      )}
    </Dialog>
  );
}

const optionId = ({ id }: SessionSummary) => `closed-${id}`;

function scrollIntoList(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' });
}
