import type { Approval } from '@tscodex/shared/asks';
import { t } from '../messages/messages.ts';
import { patternText } from '../permissions/rule-text.ts';
import { FileEditCard } from '../ui/file-edit.tsx';
import { ReadBox } from '../ui/read-box.tsx';
import { TrueText } from '../ui/true-text.tsx';
import { Allowance } from './allowance.tsx';
import styles from './asks.module.css';

/**
 * All there is to judge by: the rule that asks, the reason given, the command and where it would run, the changes, what it may do.
 * `held`: what holds the session's commands in.
 */
export function ApprovalSubject({ approval, held }: { approval: Approval; held: string | null }) {
  const { reason, command, changes } = approval;
  return (
    <>
      {approval.because && <RuleThatAsks because={approval.because} />}
      {reason && (
        <p className={styles.reason}>
          <TrueText text={reason} prose />
        </p>
      )}
      {command && <ReadBox text={command} className={styles.command} />}
      <Allowance approval={approval} held={held} />
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

/** Whoever decides should know that people here wanted to be asked, and why. */
function RuleThatAsks({ because }: { because: NonNullable<Approval['because']> }) {
  const { justification } = because;
  return (
    <p className={styles.reason}>
      {t('asks.ruleAsks')}{' '}
      <code>
        <TrueText text={patternText(because)} />
      </code>
      {justification && <TrueText text={t('asks.ruleWords', { words: justification })} prose />}
    </p>
  );
}
