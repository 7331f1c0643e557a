import type { SessionState } from '@tscodex/shared/session-state';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { useAction } from '../ui/use-action.ts';

/** Stop, from the click until the server says that the turn is stopping. */
export function useStop(status: SessionState['status'], actions: SessionActions) {
  const { busy, problem, run } = useAction();
  return {
    visible: status === 'running' || status === 'asking' || status === 'stopping',
    stopping: busy || status === 'stopping',
    problem: problem && t('composer.stopFailed', { reason: problem }),
    stop: () => run(actions.interrupt),
  };
}
