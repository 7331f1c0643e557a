import type { CSSProperties } from 'react';
import { t } from '../messages/messages.ts';
import styles from './context-meter.module.css';

/** How much of the model's context window is left, in percent; `estimated` where no model has told. */
export function ContextMeter({ left, estimated }: { left: number; estimated: boolean }) {
  const percent = Math.round(Math.min(100, Math.max(0, left)));
  const look = percent <= 10 ? 'bad' : percent <= 25 ? 'low' : 'good';
  return (
    <span className={styles.meter}>
      {/* biome-ignore lint/a11y/useSemanticElements: a <meter> cannot be drawn as a ring */}
      <span
        className={styles.ring}
        data-look={look}
        style={{ '--left': `${percent}%` } as CSSProperties}
        role="meter"
        aria-label={t('usage.contextLeft')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={t(estimated ? 'usage.percentAbout' : 'usage.percent', { percent })}
      />
      <span aria-hidden="true">
        {estimated && '≈ '}
        {t('usage.percent', { percent })}
      </span>
    </span>
  );
}
