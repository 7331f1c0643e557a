import { useState } from 'react';
import { t } from '../messages/messages.ts';
import { DeviceName } from '../state/device-name.ts';
import { deviceStorage } from '../state/device-storage.ts';
import { Button } from '../ui/button.tsx';
import styles from './name-card.module.css';
import { NameForm } from './name-form.tsx';
import { useMe } from './use-people.ts';

/**
 * Asks once a device what the others should call whoever sits there. It takes no focus and stands in nobody's way;
 * whoever does not want to say is not asked again, and finds it under “You”.
 */
export function NameCard() {
  const me = useMe();
  const [device] = useState(() => new DeviceName(deviceStorage()));
  const [skipped, setSkipped] = useState(device.skipped);
  if (me === null || me.name !== null || skipped) return null;
  const skip = () => {
    device.skip();
    setSkipped(true);
  };
  return (
    <aside className={styles.card} aria-label={t('people.ask')}>
      <NameForm label={t('people.ask')} name={device.name ?? ''} onSaved={() => undefined}>
        <Button look="quiet" onClick={skip}>
          {t('people.skip')}
        </Button>
      </NameForm>
      <p className={styles.hint}>{t('people.askHint')}</p>
    </aside>
  );
}
