import type { SessionState } from '@tscodex/shared/session-state';
import { t } from '../messages/messages.ts';
import type { Connection } from '../state/actions.ts';
import { StatusDot, type Tone } from '../ui/status-dot.tsx';
import { Clock } from './clock.tsx';
import styles from './status-pill.module.css';

type Shown = { tone: Tone; text: string; since?: string | undefined };

/** What the session is doing. The clock is for the eye alone: a screen reader hears only the changes. */
export function StatusPill({ state, connection }: { state: SessionState; connection: Connection }) {
  const { tone, text, since } = shown(state, connection);
  return (
    <div className={styles.pill} role="status" aria-label={t('composer.status')}>
      <StatusDot tone={tone} />
      <span>{text}</span>
      {since && <Clock since={since} />}
    </div>
  );
}

function shown(state: SessionState, connection: Connection): Shown {
  if (connection === 'lost') return { tone: 'error', text: t('composer.lost') };
  if (connection === 'connecting') return { tone: 'quiet', text: t('composer.connecting') };
  switch (state.status) {
    case 'running':
      return working(state);
    case 'asking':
      return { tone: 'asking', text: t('composer.asking'), since: state.asks[0]?.openedAt };
    case 'stopping':
      return { tone: 'running', text: t('composer.stopping') };
    case 'paused':
      return { tone: 'asking', text: t('composer.paused') };
    default:
      return { tone: 'quiet', text: t(`composer.${state.status}`) };
  }
}

function working({ turn, retrying }: SessionState): Shown {
  if (!retrying) return { tone: 'running', text: t('composer.working'), since: turn?.startedAt };
  const { attempt, max } = retrying;
  return { tone: 'asking', text: t('composer.retrying', { attempt, max }) };
}
