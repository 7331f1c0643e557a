import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { sessionActions } from '../state/session-actions.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/use-action.ts';
import styles from './agents.module.css';

/** Ends the turn of one agent, or says why not. */
export function StopAgent({ id, nickname }: { id: string; nickname: string }) {
  const { api } = useServices();
  const { busy, problem, run } = useAction();
  return (
    <span className={styles.stop}>
      {problem && <span role="alert">{problem}</span>}
      <Button
        look="quiet"
        aria-disabled={busy}
        aria-label={t('agents.stopAgent', { nickname })}
        onClick={() => void run(() => sessionActions(api, id).interrupt())}
      >
        {t(busy ? 'agents.stopping' : 'agents.stop')}
      </Button>
    </span>
  );
}
