import type { ReactNode } from 'react';
import styles from './work-row.module.css';

/** Preformatted text inside an opened row. It scrolls by itself, so the keyboard must reach it. */
export function CodeBlock({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.block} aria-label={label} tabIndex={0} data-scrolls>
      {children}
    </section>
  );
}
