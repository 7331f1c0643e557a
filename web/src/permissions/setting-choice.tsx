import { useId } from 'react';
import { t } from '../messages/messages.ts';
import styles from './setting-choice.module.css';
import { nameOf, type Setting, VALUES } from './settings.ts';

/**
 * One setting: each of its values with a line about it, and to leave it to the workspace ('') with what comes of
 * that, `fallback`.
 */
export function SettingChoice(props: {
  setting: Setting;
  value: string;
  fallback: string;
  /** Whether the agent can ask nobody. */
  neverAsks: boolean;
  /** Why it does not count now. */
  note?: string | undefined;
  /** Why what was chosen was refused. */
  problem?: string | undefined;
  onChoose: (value: string) => void;
}) {
  const { setting, neverAsks, note, problem } = props;
  const name = useId();
  return (
    <fieldset className={styles.setting} data-idle={note !== undefined}>
      <legend>{t(`permissions.${setting}`)}</legend>
      {note !== undefined && <p className={styles.note}>{note}</p>}
      {problem !== undefined && (
        <p ref={bringIntoView} className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {[
        ...VALUES[setting].map(({ value, name, about }) => ({
          value,
          name: t(name),
          about: t(neverAsks && value === 'danger-full-access' ? 'permissions.is.free' : about),
        })),
        {
          value: '',
          name: t('permissions.asWorkspace'),
          about: t('permissions.asWorkspace.about', { value: t(nameOf(setting, props.fallback)) }),
        },
      ].map((one) => (
        <label key={one.value} className={styles.choice}>
          <input
            type="radio"
            name={name}
            checked={one.value === props.value}
            onChange={() => props.onChoose(one.value)}
          />
          <span>
            {one.name}{' '}
            {setting !== 'network' && isAnotherWord(one.value, one.name) && <code>{one.value}</code>}
            <small>{one.about}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Its group may be half out of the panel. One function, so that only what appears is brought. */
function bringIntoView(shown: HTMLElement | null): void {
  shown?.scrollIntoView({ block: 'nearest' });
}

/** Whether a value's name does not tell how the configuration calls it. */
function isAnotherWord(value: string, name: string): boolean {
  return value !== '' && value !== name.toLowerCase().replaceAll(' ', '-');
}
