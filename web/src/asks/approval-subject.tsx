import type { Approval } from '@tscodex/shared/asks';
import { FileEditCard } from '../ui/file-edit.tsx';
import { ReadBox } from '../ui/read-box.tsx';
import { TrueText } from '../ui/true-text.tsx';
import { Allowance } from './allowance.tsx';
import styles from './asks.module.css';
import { RuleThatAsks } from './rule-that-asks.tsx';

/**
 * All there is to judge by: the rule that asks, the reason given, the command and where it would run, the changes, what it may do.
 * `held`: what holds the session's commands in.
 */
export function ApprovalSubject({ approval, held }: { approval: Approval; held: string | null }) {
  const { reason, command, changes } = approval;
  return (
    <>
      {approval.because && (
        <p className={styles.reason}>
          <RuleThatAsks because={approval.because} />
        </p>
      )}
      {reason && (
        <p className={styles.reason}>
          <TrueText text={reason} prose />
        </p>
      )}
      {/* above the command: the buttons, which stay in view, hide what lies below it on a small screen */}
      <Allowance approval={approval} held={held} />
      {command && <ReadBox text={command} className={styles.command} />}
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
