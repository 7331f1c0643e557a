import { useEffect, useState } from 'react';
import { t } from '../messages/messages.ts';
import { type Ability, abilityOf, askForNotices, showNotice } from './browser-notices.ts';

/** Whether this browser shows notifications, kept up to date, and asking it to. */
export function useAbility(): { ability: Ability; ask: () => Promise<Ability> } {
  const [ability, setAbility] = useState(() => abilityOf(globalThis.Notification, isSecureContext));
  useEffect(() => {
    const ended = new AbortController();
    const look = () => setAbility(abilityOf(globalThis.Notification, isSecureContext));
    navigator.permissions?.query({ name: 'notifications' }).then(
      (status) => status.addEventListener('change', look, { signal: ended.signal }),
      () => undefined, // not every browser tells; then the next visit does
    );
    return () => ended.abort();
  }, []);

  const ask = async () => {
    let found = await askForNotices(globalThis.Notification, isSecureContext);
    // only showing one tells whether it can
    const sample = {
      title: t('pages.product'),
      body: t('notifications.sample'),
      tag: 'sample',
      onClick: () => undefined,
    };
    if (found === 'granted' && !showNotice(globalThis.Notification, sample)) found = 'missing';
    setAbility(found);
    return found;
  };
  return { ability, ask };
}
