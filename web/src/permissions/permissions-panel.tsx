import type { SessionState } from '@tscodex/shared/session-state';
import { useEffect, useRef } from 'react';
import { t } from '../messages/messages.ts';
import { useOpenRules } from '../rules/rules-context.ts';
import { Button } from '../ui/button.tsx';
import { sentence } from './confinement.ts';
import { KeptGrants } from './kept-grants.tsx';
import styles from './permissions-panel.module.css';
import { ProblemNote } from './problem-note.tsx';
import { SettingChoice } from './setting-choice.tsx';
import { SETTINGS } from './settings.ts';
import { usePermissions } from './use-permissions.ts';

/** What commands of this session may do, why no more is possible, and the settings for it. */
export function PermissionsPanel({ state }: { state: SessionState }) {
  const { chosen, given, choose, problem } = usePermissions(state.id, state);
  const openRules = useOpenRules();
  const panel = useRef<HTMLDivElement>(null);
  // for those who read the panel before they change something
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);
  const idle =
    (chosen.sandbox || given.sandbox) === 'workspace-write' ? undefined : t('permissions.networkOnly');
  return (
    <div ref={panel} className={styles.panel} role="dialog" aria-label={t('permissions.title')} tabIndex={-1}>
      <h2>{t('permissions.title')}</h2>
      <p role="status">{sentence(state)}</p>
      {state.sandboxProblem && <ProblemNote problem={state.sandboxProblem} />}
      {SETTINGS.map((setting) => (
        <SettingChoice
          key={setting}
          setting={setting}
          value={chosen[setting]}
          fallback={given[setting]}
          note={setting === 'network' ? idle : undefined}
          problem={
            problem?.setting === setting ? t('permissions.notSaved', { reason: problem.reason }) : undefined
          }
          onChoose={(value) => choose(setting, value)}
        />
      ))}
      {state.grantCount > 0 && <KeptGrants session={state.id} count={state.grantCount} />}
      <div className={styles.more}>
        <Button look="quiet" aria-haspopup="dialog" onClick={openRules}>
          {t('rules.open')}
        </Button>
      </div>
    </div>
  );
}
