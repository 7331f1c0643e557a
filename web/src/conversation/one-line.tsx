import type { ItemStatus } from '@tscodex/shared/items';
import styles from './one-line.module.css';
import { StatusMark } from './status-mark.tsx';

/** A thin row with nothing behind it. */
export function OneLine(props: { status: ItemStatus; verb: string; subject: string }) {
  return (
    <div className={styles.line}>
      <StatusMark status={props.status} />
      <span>{props.verb}</span>
      <code>{props.subject}</code>
    </div>
  );
}
