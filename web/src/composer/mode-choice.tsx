import { useId } from 'react';
import { t } from '../messages/messages.ts';
import styles from './mode-choice.module.css';

export type Mode = 'steer' | 'queue';

/**
 * Whether a message joins the running turn or waits for its end. `canSteer`: whether the agent lets it join;
 * `onCannot`: it was to join nevertheless, and whoever has no pointer to hover with knows no reason.
 */
export function ModeChoice(props: {
  mode: Mode;
  canSteer: boolean;
  onChange: (mode: Mode) => void;
  onCannot: () => void;
}) {
  const { mode, canSteer, onChange, onCannot } = props;
  const why = useId();
  const choice = (value: Mode, label: string, hint: string) => {
    const possible = value === 'queue' || canSteer;
    return (
      <button
        type="button"
        aria-pressed={mode === value}
        aria-disabled={!possible}
        aria-describedby={possible ? undefined : why}
        title={hint}
        onClick={() => (possible ? onChange(value) : onCannot())}
      >
        {label}
      </button>
    );
  };
  return (
    <fieldset className={styles.choice} aria-label={t('composer.when')}>
      {choice('steer', t('composer.steer'), t(canSteer ? 'composer.steerHint' : 'composer.noSteer'))}
      {choice('queue', t('composer.queue'), t('composer.queueHint'))}
      {!canSteer && (
        <span id={why} hidden>
          {t('composer.noSteer')}
        </span>
      )}
    </fieldset>
  );
}
