import type { SessionState } from '@tscodex/shared/session-state';
import { useState } from 'react';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';

/** Stop, from the click until the server says that the turn is stopping. */
export function useStop(status: SessionState['status'], actions: SessionActions) {
  const [asked, setAsked] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const stop = async () => {
    setAsked(true);
    setProblem(null);
    try {
      await actions.interrupt();
    } catch (error) {
      setProblem(t('composer.stopFailed', { reason: (error as Error).message }));
    } finally {
      setAsked(false);
    }
  };
  return {
    visible: status === 'running' || status === 'asking' || status === 'stopping',
    stopping: asked || status === 'stopping',
    problem,
    stop,
  };
}
