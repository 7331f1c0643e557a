import type { SessionState } from '@tscodex/shared/session-state';
import { t } from '../messages/messages.ts';
import type { Connection } from '../state/actions.ts';
import { timeOfDay } from '../ui/quantities.ts';
import { StatusDot, type Tone } from '../ui/status-dot.tsx';
import { TrueText } from '../ui/true-text.tsx';
import { Clock } from './clock.tsx';
import styles from './status-pill.module.css';

/** Characters of a command line. */
const COMMAND_SHOWN = 32;

type Shown = { tone: Tone; text: string; since?: string | undefined };

/** What the session is doing. The clock is for the eye alone: a screen reader hears only the changes. */
export function StatusPill({ state, connection }: { state: SessionState; connection: Connection }) {
  const { tone, text, since } = shown(state, connection);
  return (
    <div className={styles.pill} role="status" aria-label={t('composer.status')}>
      <StatusDot tone={tone} />
      <span className={styles.words}>
        <TrueText text={text} />
      </span>
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
    case 'sleeping':
      return { tone: 'quiet', text: sleeping(state) };
    case 'paused':
      return { tone: 'asking', text: t('composer.paused') };
    default:
      if (state.held && state.clock) return { tone: 'quiet', text: t('composer.held') };
      return { tone: 'quiet', text: t(`composer.${state.status}`) };
  }
}

/** What it waits for. */
function sleeping({ background, clock, held }: SessionState): string {
  if (held) return t('composer.held');
  const [first, ...others] = background;
  if (first) {
    const command = shortened(first.command);
    if (others.length === 0) return t('composer.waitingFor', { command });
    return t('composer.waitingForMore', { command, count: others.length });
  }
  return clock?.nextAt ? t('composer.nextWake', { time: timeOfDay(clock.nextAt) }) : t('composer.sleeping');
}

function shortened(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim();
  return line.length > COMMAND_SHOWN ? `${line.slice(0, COMMAND_SHOWN)}…` : line;
}

function working({ turn, retrying }: SessionState): Shown {
  if (!retrying) return { tone: 'running', text: t('composer.working'), since: turn?.startedAt };
  const { attempt, max } = retrying;
  return { tone: 'asking', text: t('composer.retrying', { attempt, max }) };
}
