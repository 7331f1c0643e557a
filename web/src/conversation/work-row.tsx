import { type ReactNode, useId } from 'react';
import { TrueText } from '../ui/true-text.tsx';
import { type MarkStatus, StatusMark } from './status-mark.tsx';
import styles from './work-row.module.css';

/** A thin row for something the agent did, which opens to show what came of it. */
export function WorkRow(props: {
  status: MarkStatus;
  verb: string;
  /** What was acted on, in one line of code. */
  subject: string;
  /** How it went, at the end of the row. */
  aside?: string | undefined;
  /** What may be cut short there, and what a phone leaves to the opened row. */
  more?: string | undefined;
  decided?: string | undefined;
  /** A control beside the row. */
  action?: ReactNode;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  const bodyId = useId();
  const { open, aside = '', more = '', decided = '' } = props;
  const asides = [
    { text: aside, of: 'aside' },
    { text: more, of: 'more' },
    { text: decided, of: 'decided' },
  ].filter(({ text }) => text !== '');
  const title = asides.map(({ text }) => text).join(' · ');
  return (
    <>
      <div className={styles.row}>
        <button
          type="button"
          className={styles.head}
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          onClick={props.onToggle}
        >
          <StatusMark status={props.status} />
          <span className={styles.verb}>{props.verb}</span>
          <code className={styles.subject}>
            <TrueText text={props.subject} />
          </code>
          {asides.map(({ text, of }, at) => (
            <span key={of} className={styles.aside} data-of={of} title={title}>
              {at > 0 && ' · '}
              {text}
            </span>
          ))}
        </button>
        {props.action}
      </div>
      {open && (
        <div id={bodyId} className={styles.body}>
          {props.children}
        </div>
      )}
    </>
  );
}
