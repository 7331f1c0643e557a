import { classes } from './classes.ts';
import styles from './status-dot.module.css';

export type Tone = 'quiet' | 'sleeping' | 'running' | 'asking' | 'fresh' | 'error';

/** A dot whose colour says how a session fares. Only for the eye: say the same in words beside it. */
export function StatusDot({ tone }: { tone: Tone }) {
  return <i aria-hidden="true" className={classes(styles.dot, styles[tone])} />;
}
