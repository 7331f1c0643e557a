import { lacks } from '@tscodex/shared/lacks';
import type { SessionState } from '@tscodex/shared/session-state';
import { useId, useState } from 'react';
import { v7 as uuid } from 'uuid';
import { t } from '../messages/messages.ts';
import type { SessionActions } from '../state/actions.ts';
import { Button } from '../ui/button.tsx';
import { useAction } from '../ui/use-action.ts';
import styles from './compact-now.module.css';

/** Has the conversation summed up for the model. What comes of it is told in the conversation. */
export function CompactNow(props: { state: SessionState; actions: SessionActions; onCompacted: () => void }) {
  const { state, actions, onCompacted } = props;
  const { busy, problem, run } = useAction();
  const [id] = useState(() => uuid());
  const aboutId = useId();
  const possible = state.turn === null && state.status !== 'closed' && !lacks(state.backend, 'compact');
  const compact = async () => {
    if (possible && (await run(() => actions.send({ id, text: '/compact', mode: 'steer' })))) onCompacted();
  };
  return (
    <div className={styles.compact}>
      <Button aria-disabled={!possible || busy} aria-describedby={aboutId} onClick={() => void compact()}>
        {t('usage.compact')}
      </Button>
      <p id={aboutId}>{t(aboutOf(state))}</p>
      {problem !== null && (
        <p className={styles.problem} role="alert">
          {t('usage.notCompacted', { reason: problem })}
        </p>
      )}
    </div>
  );
}

function aboutOf({ turn, status, backend }: SessionState) {
  if (lacks(backend, 'compact')) return 'usage.compactNever';
  if (status === 'closed') return 'usage.compactClosed';
  return turn ? 'usage.compactBusy' : 'usage.compactAbout';
}
