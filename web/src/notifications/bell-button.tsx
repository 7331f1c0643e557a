import { Bell, BellOff } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import { useNotificationSettings } from './use-notifications.ts';

/** Opens what this device is told of. */
export function BellButton() {
  const [open, setOpen] = useState(false);
  const on = useStore(useNotificationSettings(), (settings) => settings.on);
  const Icon = on ? Bell : BellOff;
  return (
    <>
      <IconButton
        label={t(on ? 'notifications.open' : 'notifications.openOff')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <Icon size={16} aria-hidden="true" />
      </IconButton>
      {open && <NotificationSettings onClose={() => setOpen(false)} />}
    </>
  );
}
