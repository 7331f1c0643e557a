import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/use-action.ts';
import styles from './background-button.module.css';

/** Ends one thing of the background, or says why not. It leaves the list once it has ended. */
export function StopButton(props: { label: string; stop: () => Promise<void> }) {
  const { busy, problem, run } = useAction();
  return (
    <>
      <Button
        className={styles.stop}
        aria-disabled={busy}
        aria-label={props.label}
        onClick={() => void run(props.stop)}
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
