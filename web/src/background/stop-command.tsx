import type { BackgroundCommand } from '@tscodex/shared/events';
import { t } from '../messages/messages.ts';
import { useServices } from '../state/services.ts';
import { sessionActions } from '../state/session-actions.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/use-action.ts';
import styles from './background-button.module.css';

/** Ends one background command, or says why not. It leaves the list once it has ended. */
export function StopCommand(props: { session: string; command: BackgroundCommand }) {
  const { session, command } = props;
  const { api } = useServices();
  const { busy, problem, run } = useAction();
  const stop = () => sessionActions(api, session).stopCommand(command.processId);
  return (
    <>
      <Button
        className={styles.stop}
        aria-disabled={busy}
        aria-label={t('background.stopCommand', { command: command.command })}
        onClick={() => void run(stop)}
      >
        {t(busy ? 'background.stopping' : 'background.stop')}
      </Button>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {t('background.notStopped', { reason: problem })}
        </p>
      )}
    </>
  );
}
