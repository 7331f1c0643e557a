import type { SandboxProblem } from '@tscodex/shared/permissions';
import { ShieldOff } from 'lucide-react';
import { copyCode } from '../markdown/copy-code.ts';
import { t } from '../messages/messages.ts';
import { Button } from '../ui/button.tsx';
import styles from './problem-note.module.css';
import { fixOf } from './sandbox-fix.ts';

/** Why this machine cannot confine commands, and the line that mends it. */
export function ProblemNote({ problem }: { problem: SandboxProblem }) {
  const fix = fixOf(problem);
  return (
    <div className={styles.note}>
      <p className={styles.title}>
        <ShieldOff size={14} aria-hidden="true" /> {t('permissions.problem')}
      </p>
      <p>{t(`permissions.problem.${problem.kind}`)}</p>
      {fix && (
        <>
          <p>{t(fix.how)}</p>
          <div className={styles.fix} data-code>
            <code>{fix.line}</code>
            <Button look="quiet" data-copy onClick={({ currentTarget }) => void copyCode(currentTarget)}>
              {t('markdown.copy')}
            </Button>
          </div>
        </>
      )}
      {problem.kind === 'unsupported-system' && <p>{t('permissions.fixElsewhere')}</p>}
      {problem.detail && (
        <p className={styles.detail}>{t('permissions.detail', { detail: problem.detail })}</p>
      )}
    </div>
  );
}
