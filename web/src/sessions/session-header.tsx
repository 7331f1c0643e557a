import type { SessionState } from '@tscodex/shared/session-state';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { t } from '../messages/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import styles from './session-header.module.css';

/** What the session is about, what it may do, and its close. `children`: buttons of the page around it. */
export function SessionHeader({
  title,
  state,
  demo,
  onClose,
  children,
}: {
  title: string | null;
  /** null while it is not known yet. */
  state: SessionState | null;
  demo: boolean;
  onClose: (() => void) | null;
  children?: ReactNode;
}) {
  return (
    <>
      <header className={styles.bar}>
        <h1 title={title ?? undefined}>{title}</h1>
        <div className={styles.chips}>
          {demo && <Chip>{t('sessions.demo')}</Chip>}
          {state && <Confinement state={state} />}
        </div>
        {children}
        {onClose && (
          <IconButton label={t('sessions.close')} onClick={onClose}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        )}
      </header>
      {state && runsAnything(state) && (
        <p className={styles.danger} role="alert">
          {t('sessions.dangerous')}
        </p>
      )}
    </>
  );
}

function Confinement({ state }: { state: SessionState }) {
  const { confined, sandboxMode } = state;
  if (confined)
    return (
      <Chip tone="ok" title={t('sessions.confined', { mode: sandboxMode })}>
        {sandboxMode}
      </Chip>
    );
  const unasked = runsAnything(state);
  return (
    <Chip tone={unasked ? 'bad' : 'warn'} title={unasked ? undefined : t('sessions.notConfinedText')}>
      {t('sessions.notConfined')}
    </Chip>
  );
}

function runsAnything({ approvalPolicy, sandboxMode }: SessionState): boolean {
  return approvalPolicy === 'never' && sandboxMode === 'danger-full-access';
}
