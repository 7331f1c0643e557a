import type { SessionState } from '@tscodex/shared/session-state';
import { t } from '../messages/messages.ts';
import type { Connection } from '../state/actions.ts';
import { Clock } from './clock.tsx';
import styles from './status-pill.module.css';

type Shown = { look: 'quiet' | 'run' | 'todo' | 'bad'; text: string; since?: string | undefined };

/** What the session is doing. The clock is for the eye alone: a screen reader hears only the changes. */
export function StatusPill({ state, connection }: { state: SessionState; connection: Connection }) {
  const { look, text, since } = shown(state, connection);
  return (
    <div className={styles.pill} role="status" aria-label={t('composer.status')}>
      <i className={styles.dot} data-look={look} />
      <span>{text}</span>
      {since && <Clock since={since} />}
    </div>
  );
}

function shown(state: SessionState, connection: Connection): Shown {
  if (connection === 'lost') return { look: 'bad', text: t('composer.lost') };
  if (connection === 'connecting') return { look: 'quiet', text: t('composer.connecting') };
  switch (state.status) {
    case 'running':
      return working(state);
    case 'asking':
      return { look: 'todo', text: t('composer.asking'), since: state.asks[0]?.openedAt };
    case 'stopping':
      return { look: 'run', text: t('composer.stopping') };
    case 'paused':
      return { look: 'todo', text: t('composer.paused') };
    default:
      return { look: 'quiet', text: t(`composer.${state.status}`) };
  }
}

function working({ turn, retrying }: SessionState): Shown {
  if (!retrying) return { look: 'run', text: t('composer.working'), since: turn?.startedAt };
  const { attempt, max } = retrying;
  return { look: 'todo', text: t('composer.retrying', { attempt, max }) };
}
