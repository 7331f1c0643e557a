import styles from './composer.module.css';

/** Why something did not happen, read out when it appears. */
export function Problem({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <p className={styles.problem} role="alert">
      {text}
    </p>
  );
}
