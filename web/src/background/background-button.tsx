import type { SessionState } from '@tscodex/shared/session-state';
import { AlarmClock, Bot, SquareTerminal } from 'lucide-react';
import { useEffect } from 'react';
import { isWorking } from '../agents/agent-status.ts';
import { t } from '../messages/messages.ts';
import { Chip } from '../ui/chip.tsx';
import { dayAndTime } from '../ui/quantities.ts';
import { usePopover } from '../ui/use-popover.ts';
import styles from './background-button.module.css';
import { BackgroundList, wakes } from './background-list.tsx';

type Props = {
  state: Pick<SessionState, 'id' | 'workspaceId' | 'background' | 'clock' | 'agents'>;
  /** The last of it has ended, and the focus was on it. */
  onLastEnded: () => void;
};

/** What goes on in a session although its turn is over: how much, and on a press each with its own Stop. */
export function BackgroundButton({ state, onLastEnded }: Props) {
  const { background, clock } = state;
  const agents = state.agents.filter(({ status }) => isWorking(status));
  const { isOpen, toggle, close, hasLostFocus, around } = usePopover();
  const count = background.length + agents.length + (clock ? 1 : 0);
  // with the last one all of it is gone, and the next is not to open it and take the focus
  useEffect(() => {
    if (count > 0) return;
    close();
    if (hasLostFocus()) onLastEnded();
  }, [count, close, hasLostFocus, onLastEnded]);
  if (count === 0) return null;
  const label = labelOf(state, agents.length);
  return (
    <span className={styles.around} {...around}>
      <button
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={label}
        title={isOpen ? undefined : label}
        onClick={toggle}
      >
        <Chip>
          {background.length > 0 && (
            <>
              <SquareTerminal size={12} aria-hidden="true" />{' '}
              {t('background.chip', { count: background.length })}{' '}
            </>
          )}
          {agents.length > 0 && (
            <>
              <Bot size={12} aria-hidden="true" /> {t('agents.chip', { count: agents.length })}{' '}
            </>
          )}
          {clock && <AlarmClock size={12} aria-hidden="true" />}
          {clock?.nextAt && background.length + agents.length === 0 && ` ${dayAndTime(clock.nextAt)}`}
        </Chip>
      </button>
      {isOpen && (
        <div className={styles.panel} role="dialog" aria-label={t('background.title')} tabIndex={-1}>
          <h2>{t('background.title')}</h2>
          {background.length > 0 && <p>{t('background.about')}</p>}
          <BackgroundList {...state} agents={agents} />
        </div>
      )}
    </span>
  );
}

function labelOf({ background, clock }: Props['state'], agents: number): string {
  const parts = [
    ...(background.length > 0 ? [t('background.open', { count: background.length })] : []),
    ...(agents > 0 ? [t('agents.working', { count: agents })] : []),
    ...(clock ? [wakes(clock)] : []),
  ];
  return parts.join(' · ');
}
