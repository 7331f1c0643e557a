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
  aside?: ReactNode;
  /** A control beside the row. */
  action?: ReactNode;
  open: boolean;
  onToggle: () => void;
  children: ReactNode;
}) {
  const bodyId = useId();
  const { open } = props;
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
          <span
            className={styles.aside}
            title={typeof props.aside === 'string' && props.aside !== '' ? props.aside : undefined}
          >
            {props.aside}
          </span>
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
