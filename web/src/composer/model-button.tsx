import type { SessionState } from '@tscodex/shared/session-state';
import { t } from '../messages/messages.ts';
import styles from './model-button.module.css';
import { isReadOnly } from './read-only.tsx';

/** Which model answers and how hard it thinks; on a press, another one. A phone has it in the session's menu. */
export function ModelButton({ state, onPress }: { state: SessionState; onPress: () => void }) {
  if (!state.model) return null;
  return (
    <button
      type="button"
      className={styles.button}
      disabled={isReadOnly(state)}
      aria-haspopup="dialog"
      title={t('composer.changeModel')}
      onClick={onPress}
    >
      <code>{[state.model, state.effort].filter(Boolean).join(' · ')}</code>
    </button>
  );
}
