import type { BackgroundCommand } from '@tscodex/shared/events';
import { SquareTerminal } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { Chip } from '../ui/chip.tsx';
import { timeOfDay } from '../ui/quantities.ts';
import { TrueText } from '../ui/true-text.tsx';
import { usePopover } from '../ui/use-popover.ts';
import styles from './background-button.module.css';
import { StopCommand } from './stop-command.tsx';

/** What runs in a session although its turn is over: how many, and on a press each with its own Stop. */
export function BackgroundButton(props: { session: string; commands: readonly BackgroundCommand[] }) {
  const { session, commands } = props;
  const { isOpen, toggle, close, around } = usePopover();
  const count = commands.length;
  const panel = useRef<HTMLDivElement>(null);
  // the button of the one that has ended is gone, and the focus would go with it
  useEffect(() => {
    if (count > 0 && document.activeElement === document.body) panel.current?.focus();
  }, [count]);
  // with the last one all of it is gone, and the next is not to open it and take the focus
  useEffect(() => {
    if (count === 0) close();
  }, [count, close]);
  if (count === 0) return null;
  return (
    <span className={styles.around} {...around}>
      <button
        type="button"
        className={styles.button}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={t('background.open', { count })}
        title={isOpen ? undefined : t('background.open', { count })}
        onClick={toggle}
      >
        <Chip>
          <SquareTerminal size={12} aria-hidden="true" /> {t('background.chip', { count })}
        </Chip>
      </button>
      {isOpen && (
        <div
          ref={panel}
          className={styles.panel}
          role="dialog"
          aria-label={t('background.title')}
          tabIndex={-1}
        >
          <h2>{t('background.title')}</h2>
          <p>{t('background.about')}</p>
          <ul>
            {commands.map((one) => (
              <li key={one.processId}>
                <code>
                  <TrueText text={one.command} />
                </code>
                <small>{t('background.since', { time: timeOfDay(one.startedAt) })}</small>
                <StopCommand session={session} command={one} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </span>
  );
}
