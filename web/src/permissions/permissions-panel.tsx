import { lacks } from '@tscodex/shared/lacks';
import type { Held } from '@tscodex/shared/permissions';
import type { SessionState } from '@tscodex/shared/session-state';
import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { useOpenRules } from '../rules/rules-context.ts';
import { Button } from '../ui/button.tsx';
import { sentence } from './confinement.ts';
import { KeptGrants } from './kept-grants.tsx';
import styles from './permissions-panel.module.css';
import { ProblemNote } from './problem-note.tsx';
import { SessionSettings } from './session-settings.tsx';

/** What commands may do, why no more is possible, what people have allowed beyond it, and the settings of the session once there is one. */
export function PermissionsPanel({ held, session }: { held: Held; session: SessionState | null }) {
  const openRules = useOpenRules();
  // whatever is set: an agent that cannot ask never does
  const asked: Held = lacks(session?.backend ?? '', 'asks') ? { ...held, approvalPolicy: 'never' } : held;
  const panel = useRef<HTMLDivElement>(null);
  // for those who read the panel before they change something
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  return (
    <div ref={panel} className={styles.panel} role="dialog" aria-label={t('permissions.title')} tabIndex={-1}>
      <h2>{t('permissions.title')}</h2>
      <p role="status">{sentence(asked)}</p>
      {held.sandboxProblem && <ProblemNote problem={held.sandboxProblem} />}
      {session && session.grantCount > 0 && <KeptGrants session={session.id} count={session.grantCount} />}
      {session ? (
        <SessionSettings session={session} />
      ) : (
        <p className={styles.later}>{t('permissions.newSession')}</p>
      )}
      <div className={styles.more}>
        <Button look="quiet" aria-haspopup="dialog" onClick={openRules}>
          {t('rules.open')}
        </Button>
      </div>
    </div>
  );
}
