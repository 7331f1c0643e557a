import type { ReactNode } from 'react';
import styles from './chip.module.css';
import { classes } from './classes.ts';

/** A small fact beside a heading. `title` says more on hover. */
export function Chip({
  tone = 'plain',
  title,
  children,
}: {
  tone?: 'plain' | 'ok' | 'warn' | 'bad';
  title?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span className={classes(styles.chip, styles[tone])} title={title}>
      {children}
    </span>
  );
}
