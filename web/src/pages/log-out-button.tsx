import { LogOut } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/use-action.ts';
import styles from './log-out-button.module.css';

/** Ends this browser’s login. */
export function LogOutButton() {
  const { api } = useServices();
  const { busy, problem, run } = useAction();
  const logOut = async () => {
    await api.json('POST', 'api/logout');
    location.assign(new URL('login', api.base));
  };
  return (
    <>
      {problem !== null && (
        <span className={styles.problem} role="alert">
          {t('pages.notLoggedOut', { reason: problem })}
        </span>
      )}
      <Button look="quiet" disabled={busy} onClick={() => void run(logOut)}>
        <LogOut size={16} aria-hidden="true" />
        {t('pages.logOut')}
      </Button>
    </>
  );
}
