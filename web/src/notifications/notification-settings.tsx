import { useId } from 'react';
import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import { Dialog } from '../ui/dialog.tsx';
import { kinds } from './news.ts';
import styles from './notification-settings.module.css';
import { useAbility } from './use-ability.ts';
import { useNotificationSettings } from './use-notifications.ts';

/** Which notifications this device shows, or why it can show none. */
export function NotificationSettings({ onClose }: { onClose: () => void }) {
  const store = useNotificationSettings();
  const settings = useStore(store);
  const { ability, ask } = useAbility();
  const id = useId();
  const isOn = settings.on && ability === 'granted';

  const change = async (on: boolean) => {
    if (!on) return store.setState({ on });
    if ((await ask()) === 'granted') store.setState({ on });
  };
  return (
    <Dialog title={t('notifications.title')} onClose={onClose}>
      <div className={styles.form}>
        <label className={styles.switch}>
          <input
            type="checkbox"
            checked={isOn}
            disabled={ability === 'denied' || ability === 'insecure' || ability === 'missing'}
            aria-describedby={id}
            onChange={(event) => void change(event.target.checked)}
          />
          {t('notifications.on')}
        </label>
        <p
          id={id}
          className={ability === 'ask' || ability === 'granted' ? styles.state : styles.problem}
          role="status"
        >
          {ability !== 'granted' && t(`notifications.${ability}`)}
        </p>
        <fieldset className={styles.kinds} disabled={!isOn}>
          <legend>{t('notifications.when')}</legend>
          {kinds.map((kind) => (
            <label key={kind}>
              <input
                type="checkbox"
                checked={settings.kinds[kind]}
                onChange={({ target }) =>
                  store.setState({ kinds: { ...settings.kinds, [kind]: target.checked } })
                }
              />
              {t(`notifications.${kind}`)}
            </label>
          ))}
        </fieldset>
        <p className={styles.hint}>{t('notifications.perSession')}</p>
      </div>
    </Dialog>
  );
}
