import { t } from '../messages/messages.ts';
import styles from './scope-choice.module.css';

export const SCOPE_NAMES = ['everywhere', 'here', 'archived'] as const;
export type ScopeName = (typeof SCOPE_NAMES)[number];

/** Which sessions are listed and searched. */
export function ScopeChoice(props: {
  scope: ScopeName;
  /** Whether there is a “here”. */
  hasWorkspace: boolean;
  onChange: (scope: ScopeName) => void;
}) {
  const names = SCOPE_NAMES.filter((name) => name !== 'here' || props.hasWorkspace);
  return (
    <fieldset className={styles.choice} aria-label={t('catalog.scope')}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === props.scope}
          onClick={() => props.onChange(name)}
        >
          {t(`catalog.scope.${name}`)}
        </button>
      ))}
    </fieldset>
  );
}
