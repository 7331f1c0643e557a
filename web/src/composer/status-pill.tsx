import type { SessionState } from '@tscodex/shared/session-state';
import { Fragment } from 'react';
import { isWorking } from '../agents/agent-status.ts';
import { t } from '../messages/messages.ts';
import type { Connection } from '../state/actions.ts';
import { dayAndTime } from '../ui/quantities.ts';
import { StatusDot, type Tone } from '../ui/status-dot.tsx';
import { TrueText } from '../ui/true-text.tsx';
import { Clock } from './clock.tsx';
import styles from './status-pill.module.css';

/** Where in a text its command belongs. */
const COMMAND = '\0';

/** `command`: what alone is cut short where there is no room, at its place in `text`. */
type Shown = { tone: Tone; text: string; command?: string; since?: string | undefined };

/** What the session is doing. The clock is for the eye alone: a screen reader hears only the changes. */
export function StatusPill({ state, connection }: { state: SessionState; connection: Connection }) {
  const { tone, text, command = '', since } = shown(state, connection);
  return (
    <div className={styles.pill} role="status" aria-label={t('composer.status')}>
      <StatusDot tone={tone} />
      <span className={styles.words}>
        {text.split(COMMAND).map((part, at) => (
          <Fragment key={at}>
            {at > 0 && (
              <span className={styles.command}>
                <TrueText text={command} />
              </span>
            )}
            <span>{part}</span>
          </Fragment>
        ))}
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
      return { tone: 'sleeping', ...sleeping(state) };
    case 'paused':
      return { tone: 'asking', text: t('composer.paused') };
    default:
      if (state.held && state.clock) return { tone: 'quiet', text: t('composer.held') };
      return { tone: 'quiet', text: t(`composer.${state.status}`) };
  }
}

/** What it waits for. */
function sleeping({ background, agents, clock, held }: SessionState): Omit<Shown, 'tone'> {
  if (held) return { text: t('composer.held') };
  const [first, ...others] = background;
  if (first) {
    const command = first.command.replace(/\s+/g, ' ').trim();
    if (others.length === 0) return { text: t('composer.waitingFor', { command: COMMAND }), command };
    return { text: t('composer.waitingForMore', { command: COMMAND, count: others.length }), command };
  }
  const working = agents.filter(({ status }) => isWorking(status)).length;
  if (working > 0) return { text: t('agents.working', { count: working }) };
  if (!clock?.nextAt) return { text: t('composer.sleeping') };
  return { text: t('composer.nextWake', { time: dayAndTime(clock.nextAt) }) };
}

function working({ turn, retrying }: SessionState): Shown {
  if (!retrying) return { tone: 'running', text: t('composer.working'), since: turn?.startedAt };
  const { attempt, max } = retrying;
  return { tone: 'asking', text: t('composer.retrying', { attempt, max }) };
}
