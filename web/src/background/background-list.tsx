import type { Clock } from '@tscodex/shared/events';
import type { SessionState } from '@tscodex/shared/session-state';
import { Link } from 'wouter';
import { placeOfSession, statusWords } from '../agents/agent-status.ts';
import { t } from '../messages/messages.ts';
import { spoken } from '../messages/spoken.ts';
import { useServices } from '../state/services.ts';
import { sessionActions } from '../state/session-actions.ts';
import { dayAndTime, timeOfDay } from '../ui/quantities.ts';
import { TrueText } from '../ui/true-text.tsx';
import { StopButton } from './stop-button.tsx';

/** What a period is told in where it is a whole number of them, the longest first. */
const LONGER = [
  ['everyDays', 24 * 60],
  ['everyHours', 60],
] as const;

type Props = Pick<SessionState, 'id' | 'workspaceId' | 'background' | 'clock' | 'agents'>;

/** Each command and each agent with its own Stop, and the clock with one. */
export function BackgroundList({ id, workspaceId, background, clock, agents }: Props) {
  const { api } = useServices();
  const actions = sessionActions(api, id);
  return (
    <ul>
      {background.map(({ processId, command, startedAt }) => (
        <li key={processId}>
          <code>
            <TrueText text={command} />
          </code>
          <small>{t('background.since', { time: timeOfDay(startedAt) })}</small>
          <StopButton
            label={t('background.stopCommand', { command })}
            stop={() => actions.stopCommand(processId)}
          />
        </li>
      ))}
      {agents.map(({ id: agent, nickname, status }) => (
        <li key={agent}>
          <Link href={placeOfSession(workspaceId, agent)}>{nickname}</Link>
          <small>{statusWords(status)}</small>
          <StopButton
            label={t('agents.stopAgent', { nickname })}
            stop={() => sessionActions(api, agent).interrupt()}
          />
        </li>
      ))}
      {clock && (
        <li>
          <span>{wakes(clock)}</span>
          <small>{clock.nextAt && t('background.next', { time: dayAndTime(clock.nextAt) })}</small>
          <StopButton label={t('background.stopClock')} stop={() => actions.stopClock()} />
        </li>
      )}
    </ul>
  );
}

/** `Wakes the agent every 5 min` */
export function wakes({ periodMinutes }: Clock): string {
  if (periodMinutes === 1) return t('background.everyMinute');
  const { rounded } = spoken().formats;
  for (const [unit, minutes] of LONGER) {
    if (periodMinutes % minutes === 0) return t(`background.${unit}`, { count: periodMinutes / minutes });
  }
  return t('background.wakes', { minutes: rounded.format(periodMinutes) });
}
