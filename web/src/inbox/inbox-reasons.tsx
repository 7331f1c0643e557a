import type { AskBrief } from '@tscodex/shared/asks';
import { RuleThatAsks } from '../asks/rule-that-asks.tsx';
import { TrueText } from '../ui/true-text.tsx';
import styles from './inbox-list.module.css';

/** Why it waits: the rule that asks, and what the agent gives as its reason. */
export function InboxReasons({ ask: { because, reason } }: { ask: AskBrief }) {
  return (
    <>
      {because && (
        <p className={styles.reason}>
          <RuleThatAsks because={because} />
        </p>
      )}
      {reason && (
        <p className={styles.reason}>
          <TrueText text={reason} prose />
        </p>
      )}
    </>
  );
}
