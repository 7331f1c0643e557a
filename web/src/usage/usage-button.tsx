import type { SessionState } from '@tscodex/shared/session-state';
import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { usePopover } from '../ui/use-popover.ts';
import { roundTokens } from './amounts.ts';
import { ContextMeter } from './context-meter.tsx';
import styles from './usage-button.module.css';
import { UsagePanel } from './usage-panel.tsx';

/**
 * How much context is left, or where that is not known how much was used; on a press, all that is known. Nothing is
 * there until a model has told what it used.
 */
export function UsageButton({ state, actions }: { state: SessionState; actions: SessionActions }) {
  const { isOpen, toggle, close, around } = usePopover();
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpen) panel.current?.focus();
  }, [isOpen]);
  const { usage } = state;
  if (!usage) return null;
  const { contextLeft, contextEstimated = false, total } = usage;
  const compacted = () => {
    close();
    button.current?.focus();
  };
  return (
    <span className={styles.around} {...around}>
      <span className={styles.face}>
        {contextLeft === undefined ? (
          <span className={styles.amount}>
            {t('usage.tokens', { tokens: roundTokens(total.totalTokens) })}
          </span>
        ) : (
          <ContextMeter left={contextLeft} estimated={contextEstimated} />
        )}
        {/* over the meter and not around it: what is inside a button has no role of its own */}
        <button
          ref={button}
          type="button"
          className={styles.button}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={t('usage.open')}
          title={isOpen ? undefined : t('usage.open')}
          onClick={toggle}
        />
      </span>
      {isOpen && (
        <div ref={panel} className={styles.panel} role="dialog" aria-label={t('usage.title')} tabIndex={-1}>
          <UsagePanel usage={usage} state={state} actions={actions} onCompacted={compacted} />
        </div>
      )}
    </span>
  );
}
