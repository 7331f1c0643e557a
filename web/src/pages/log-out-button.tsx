import { LogOut } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { IconButton } from '../ui/button.tsx';

/** Ends this browser’s login. */
export function LogOutButton() {
  const { api } = useServices();
  const logOut = async () => {
    await api.json('POST', 'api/logout');
    location.assign(new URL('login', api.base));
  };
  return (
    <IconButton label={t('pages.logOut')} onClick={() => void logOut()}>
      <LogOut size={16} aria-hidden="true" />
    </IconButton>
  );
}
