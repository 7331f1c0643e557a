import { t } from '../messages/messages.ts';
import styles from './mode-choice.module.css';

export type Mode = 'steer' | 'queue';

/** Whether a message joins the running turn or waits for its end. */
export function ModeChoice({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) {
  const choice = (value: Mode, label: string, hint: string) => (
    <button type="button" aria-pressed={mode === value} title={hint} onClick={() => onChange(value)}>
      {label}
    </button>
  );
  return (
    <fieldset className={styles.choice} aria-label={t('composer.when')}>
      {choice('steer', t('composer.steer'), t('composer.steerHint'))}
      {choice('queue', t('composer.queue'), t('composer.queueHint'))}
    </fieldset>
  );
}
