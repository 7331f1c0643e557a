import { CirclePause, FilePen, MessageCircleQuestion, ShieldPlus, SquareTerminal } from 'lucide-react';
import { type MouseEvent, type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { ReadBox } from '../ui/read-box.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { TrueText } from '../ui/true-text.tsx';
import { InboxFacts } from './inbox-facts.tsx';
import styles from './inbox-list.module.css';
import { InboxReasons } from './inbox-reasons.tsx';
import type { Row } from './steady-list.ts';
import { useDecision } from './use-decision.ts';
import { useEnding } from './use-ending.ts';
import { canDecide, type Waiting } from './waiting.ts';
import { placeOf, textOf, titleOf, whatOf } from './words.ts';

/** One that waits: whose it is, what it is, its text, and what can be done about it from here. */
export function InboxRow(props: { row: Row; onOpen: (waiting: Waiting) => void }) {
  const { waiting, endedAt } = props.row;
  const { ask } = waiting;
  const { decision, decide } = useDecision(waiting);
  const elsewhere = useEnding(waiting, endedAt !== null && decision.phase !== 'over');
  const over = decision.phase === 'over' ? decision.words : endedAt === null ? null : elsewhere;
  const id = useId();
  return (
    <li
      className={styles.row}
      data-over={over !== null}
      data-key={waiting.key}
      tabIndex={-1}
      aria-labelledby={id}
    >
      <span className={styles.icon}>{iconOf(waiting)}</span>
      <p id={id} className={styles.head}>
        <span className={styles.where}>
          <strong>{waiting.workspace.name}</strong>
          <span>{titleOf(waiting)}</span>
        </span>
        <TimeAgo at={waiting.since} />
      </p>
      <p className={styles.what}>{whatOf(waiting)}</p>
      {ask && <InboxReasons ask={ask} />}
      {ask?.text && <Text waiting={waiting} />}
      <InboxFacts waiting={waiting} />
      {decision.phase === 'failed' && (
        <p className={styles.problem} role="alert">
          {t('inbox.failed', { reason: decision.reason })}
        </p>
      )}
      <div className={styles.actions}>
        {over !== null ? (
          <p className={styles.over} role="status">
            {over}
          </p>
        ) : (
          <>
            {canDecide(waiting) && <Choices {...{ waiting, decide }} busy={decision.phase === 'sending'} />}
            <Link
              href={placeOf(waiting)}
              className={styles.open}
              aria-label={t('inbox.viewSession', { session: titleOf(waiting) })}
              onClick={(event) => isPlain(event) && props.onOpen(waiting)}
            >
              {t('inbox.view')}
            </Link>
          </>
        )}
      </div>
    </li>
  );
}

/** In a new tab or window there is nothing to be brought into view here. */
function isPlain({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return !ctrlKey && !metaKey && !shiftKey;
}

/** What is decided about from here is there to the last character, if one scrolls; of the rest the beginning. */
function Text({ waiting }: { waiting: Waiting }) {
  const text = textOf(waiting);
  if (waiting.ask?.kind === 'question')
    return (
      <p className={styles.question}>
        <TrueText text={text} prose />
      </p>
    );
  return canDecide(waiting) ? (
    <ReadBox text={text} className={styles.text} />
  ) : (
    <pre className={styles.excerpt}>
      <TrueText text={text} />
    </pre>
  );
}

function Choices(props: {
  waiting: Waiting;
  busy: boolean;
  decide: (choice: 'once' | 'decline') => Promise<void>;
}) {
  const { waiting, busy, decide } = props;
  const command = waiting.ask?.text ?? '';
  // the second half of a double click is no decision of its own
  const on = (choice: 'once' | 'decline') => (event: MouseEvent) => {
    if (event.detail <= 1) void decide(choice);
  };
  return (
    <>
      <Button
        look="primary"
        aria-disabled={busy}
        aria-label={t('inbox.allowIn', { command })}
        onClick={on('once')}
      >
        {t('asks.once')}
      </Button>
      <Button aria-disabled={busy} aria-label={t('inbox.declineIn', { command })} onClick={on('decline')}>
        {t('asks.decline')}
      </Button>
    </>
  );
}

function iconOf({ ask }: Waiting): ReactNode {
  const props = { size: 16, 'aria-hidden': true } as const;
  if (ask === null) return <CirclePause {...props} />;
  if (ask.kind === 'question') return <MessageCircleQuestion {...props} />;
  if (ask.what === 'permissions') return <ShieldPlus {...props} />;
  return ask.what === 'patch' ? <FilePen {...props} /> : <SquareTerminal {...props} />;
}
