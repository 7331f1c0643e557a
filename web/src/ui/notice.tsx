import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** One thing said in the middle of an otherwise empty pane, and what can be done about it. */
export function Notice({
  title,
  text,
  role,
  children,
}: {
  title?: string;
  text: string;
  role?: 'alert';
  children?: ReactNode;
}) {
  return (
    <div className={styles.notice} role={role}>
      {title !== undefined && <h2>{title}</h2>}
      <p>{text}</p>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
