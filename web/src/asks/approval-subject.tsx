import type { Approval } from '@tscodex/shared/asks';
import { ShieldOff } from 'lucide-react';
import { t } from '../messages/messages.ts';
import { FileEditCard } from '../ui/file-edit.tsx';
import styles from './asks.module.css';

/** All there is to judge by: the reason given, the command and where it would run, the changes, what holds it in. */
export function ApprovalSubject({ approval }: { approval: Approval }) {
  const { reason, command, cwd, changes, sandbox } = approval;
  return (
    <>
      {reason && <p className={styles.reason}>{reason}</p>}
      {command && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={styles.command} tabIndex={0}>
          {command}
        </pre>
      )}
      <p className={styles.facts}>
        {sandbox === 'none' && (
          <span className={styles.unconfined} title={t('asks.notConfinedHint')}>
            <ShieldOff size={12} aria-hidden="true" /> {t('asks.notConfined')}
          </span>
        )}
        {cwd && <code>{t('asks.in', { cwd })}</code>}
      </p>
      {changes && changes.length > 0 && (
        <div className={styles.changes}>
          {changes.map((edit) => (
            <FileEditCard key={`${edit.kind} ${edit.path}`} edit={edit} status={null} />
          ))}
        </div>
      )}
    </>
  );
}
